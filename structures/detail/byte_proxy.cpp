#include "structures/detail/byte_proxy.hpp"

#include "structures/combining.hpp"
#include "structures/detail/element_store.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"

#include <cstring>

namespace Grappa::detail {
namespace {

struct RequestHeader {
  ByteOperation operation;
  uint32_t key_bytes;
  uint32_t argument_bytes;
};

constexpr uint64_t kRequestNs = 60;  // charged in simulations: copy, and read the answer

/// Executes the requests of a message. The answers are valid until the next call.
const std::string& execute(void* structure, const char* at, size_t bytes) {
  const MustNotSuspend until_return;
  static std::string answers;
  answers.clear();
  for (const char* const end = at + bytes; at != end;) {
    RequestHeader header;
    std::memcpy(&header, at, sizeof header);
    const View<char> key(at + sizeof header, header.key_bytes);
    const View<char> arguments(key.end(), header.argument_bytes);
    const size_t place = answers.size();
    answers.append(sizeof(uint32_t), 0);
    header.operation(structure, key, arguments, &answers);
    const auto length = static_cast<uint32_t>(answers.size() - place - sizeof(uint32_t));
    std::memcpy(&answers[place], &length, sizeof length);
    at = arguments.end();
  }
  return answers;
}

}  // namespace

ByteProxy::ByteProxy(void* structure)
    : structure_(structure), targets_(static_cast<size_t>(cores())) {}

std::string ByteProxy::perform(Core owner, ByteOperation operation, View<char> key,
                               View<char> arguments) {
  Target& target = targets_[static_cast<size_t>(owner)];
  const RequestHeader header = {operation, static_cast<uint32_t>(key.size()),
                                static_cast<uint32_t>(arguments.size())};
  target.request.append(reinterpret_cast<const char*>(&header), sizeof header);
  target.request.append(key.data(), key.size());
  target.request.append(arguments.data(), arguments.size());
  bytes_ += sizeof header + key.size() + arguments.size();
  std::string answer;
  target.answers.push_back(&answer);
  wait();
  return answer;
}

void ByteProxy::sync() {
  const auto all = static_cast<Core>(targets_.size());
  const Core own = mycore();
  uint64_t requests = 0;
  for (Core distance = 1; distance < all; ++distance) {
    const auto owner =
        static_cast<Core>((own + distance) % all);  // cores start with different ones
    const std::string& request = targets_[static_cast<size_t>(owner)].request;
    if (request.empty()) continue;
    requests += targets_[static_cast<size_t>(owner)].answers.size();
    answered_.enroll();
    ++structure_counters::owner_messages;
    ByteProxy* const self = this;
    void* const structure = structure_;
    const auto perform_there = [self, structure, own, owner](void* bytes, size_t n) {
      const std::string& answers = execute(structure, static_cast<const char*>(bytes), n);
      const auto take = [self, owner](void* answer, size_t answer_bytes) {
        self->take_answer(owner, answer, answer_bytes);
      };
      send_latency_critical(own, take, answers.data(), answers.size());
    };
    send_message(owner, unchecked(perform_there), request.data(), request.size());
    flush_to(owner, FlushCause::Asked);
  }
  const std::string& request = targets_[static_cast<size_t>(own)].request;
  if (!request.empty()) {
    answered_.enroll();
    const std::string& answers = execute(structure_, request.data(), request.size());
    take_answer(own, answers.data(), answers.size());
  }
  charge_ns(requests * kRequestNs);
  answered_.wait(WaitReason(WaitReason::Kind::Transfer));
}

void ByteProxy::take_answer(Core owner, const void* answer, size_t) {
  const char* at = static_cast<const char*>(answer);
  for (std::string* const place : targets_[static_cast<size_t>(owner)].answers) {
    uint32_t bytes;
    std::memcpy(&bytes, at, sizeof bytes);
    place->assign(at + sizeof bytes, bytes);
    at += sizeof bytes + bytes;
  }
  answered_.complete();
}

}  // namespace Grappa::detail
