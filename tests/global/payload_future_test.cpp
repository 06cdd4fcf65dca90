/// Tests of futures of delegates with payloads, and of futures whose answers differ in length.

#include "system/global/payload.hpp"

#include "system/message/append.hpp"
#include "system/net/transport.hpp"
#include "system/parallel/task_future.hpp"

#include <Grappa.hpp>
#include <cstdint>
#include <gtest/gtest.h>
#include <string>
#include <utility>
#include <vector>

namespace {

using namespace Grappa;

int64_t received = 0;

Core last_core() { return static_cast<Core>(cores() - 1); }

std::string doubled(StringView text) { return text.copy() + text.copy(); }

std::string text_of(size_t bytes) {
  std::string text(bytes, 0);
  for (size_t k = 0; k < bytes; ++k) text[k] = static_cast<char>(k * 7 + (k >> 8) + bytes);
  return text;
}

/// An answer that counts its objects, to find one that is destroyed twice or never.
struct Counted {
  static int64_t alive;
  std::string text;
  explicit Counted(std::string its_text = "") : text(std::move(its_text)) { ++alive; }
  Counted(const Counted& other) : text(other.text) { ++alive; }
  Counted(Counted&& other) noexcept : text(std::move(other.text)) { ++alive; }
  Counted& operator=(const Counted&) = default;
  Counted& operator=(Counted&&) = default;
  ~Counted() { --alive; }
};
int64_t Counted::alive = 0;

}  // namespace

template <>
struct Grappa::Serialize<Counted> {
  static size_t size(const Counted& counted) { return serialized_size(counted.text); }
  static void write(Writer* to, const Counted& counted) { to->value(counted.text); }
  static Counted read(Reader* from) { return Counted(from->value<std::string>()); }
};

namespace {

TEST(PayloadFuture, ReturnsAnswersOfAnyLength) {
  const size_t whole = detail::largest_message();
  for (Core core = 0; core < cores(); ++core) {
    std::vector<Future<std::string>> futures;
    const std::vector<size_t> lengths = {0, 1, 40, whole / 2, whole - 24, whole, 3 * whole};
    for (const size_t bytes : lengths) {
      futures.push_back(delegate::call_future(core, payload(text_of(bytes)), doubled));
    }
    for (size_t k = 0; k < lengths.size(); ++k) {
      const std::string text = text_of(lengths[k]);
      EXPECT_TRUE(futures[k].get() == text + text) << lengths[k] << " bytes";
      EXPECT_TRUE(futures[k].get() == text + text) << "read again";
    }
  }
}

TEST(PayloadFuture, ReturnsAnswersOfFixedLengthOrNone) {
  for (Core core = 0; core < cores(); ++core) {
    Future<size_t> size = delegate::call_future(
        core, payload("twelve chars", 3),
        [](StringView text, int32_t n) { return text.size() + static_cast<size_t>(n); });
    Future<void> ended = delegate::call_future(core, payload(std::vector<int64_t>(100, 2)),
                                               [](View<int64_t> n) { received = n[99]; });
    EXPECT_EQ(15u, size.get());
    ended.get();
    EXPECT_EQ(2, delegate::call(core, [] { return received; }));
  }
}

TEST(PayloadFuture, RunsABodyWithOwnedValuesThatSuspends) {
  Future<std::string> text =
      delegate::call_future(last_core(), payload(std::string("abc")), [](const std::string& own) {
        yield();
        return own + delegate::call((mycore() + 1) % cores(), payload(),
                                    [] { return std::string("def"); });
      });
  EXPECT_EQ("abcdef", text.get());
}

TEST(PayloadFuture, SendsManyCallsOfOneTaskTogether) {
  if (cores() == 1) return;
  const uint64_t sent = detail::transport().buffers_sent();
  std::vector<Future<std::string>> futures;
  for (int64_t k = 0; k < 64; ++k) {
    futures.push_back(delegate::call_future(last_core(), payload(std::to_string(k)), doubled));
  }
  for (int64_t k = 0; k < 64; ++k) {
    EXPECT_EQ(doubled(std::to_string(k)), futures[static_cast<size_t>(k)].get());
  }
  EXPECT_LE(detail::transport().buffers_sent() - sent, 8u) << "64 blocking calls send 64";
}

TEST(PayloadFuture, IsWorkOfTheScopeEvenIfItIsDropped) {
  delegate::call(last_core(), [] { received = 0; });
  finish([] {
    for (int k = 0; k < 50; ++k) {
      delegate::call_future(last_core(), payload("drop"), [](const std::string& text) {
        yield();
        ++received;
        return text;
      }).drop();
    }
  });
  EXPECT_EQ(50, delegate::call(last_core(), [] { return received; }));
}

TEST(PayloadFuture, DestroysEachAnswerOnce) {
  const int64_t before = Counted::alive;
  const auto body = [](StringView text) { return Counted(text.copy()); };
  for (Core core = 0; core < cores(); ++core) {
    Future<Counted> future;
    for (int k = 0; k < 10; ++k) {
      Future<Counted> other = delegate::call_future(core, payload(std::to_string(k)), body);
      if (k % 2 == 0) other.get();  // moves an answer, or an expected one
      future = std::move(other);
      EXPECT_EQ(std::to_string(k), future.get().text);
    }
    delegate::call_future(core, payload("dropped"), body).drop();
    Future<Counted> answered = delegate::call_future(core, payload("dropped later"), body);
    while (!answered.ready()) yield();
    answered.drop();
  }
  EXPECT_EQ(before, Counted::alive);
}

TEST(PayloadFuture, MayContinueInTasks) {
  Future<std::string> name = delegate::call_future(last_core(), payload("task"), doubled);
  Future<std::string> longer = then(std::move(name), [](const std::string& text) {
    yield();
    return text + "!";
  });
  Future<size_t> size =
      then(std::move(longer), [](const std::string& text) { return text.size(); });
  EXPECT_EQ(9u, size.get());
  std::vector<Future<std::string>> all;
  for (int k = 0; k < 3; ++k) all.push_back(spawn_future([] { return std::string(4, 'x'); }));
  when_all(&all).get();
  for (Future<std::string>& one : all) EXPECT_EQ("xxxx", one.get());
}

}  // namespace
