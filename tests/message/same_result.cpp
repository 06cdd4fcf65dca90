/// A program whose result does not depend on the order of operations. The operations are
/// increments, fetch_and_add, messages that handlers forward, and messages with payloads. The
/// program compares the resulting table with the table of a serial loop, and prints a checksum.
/// same_result_test.sh runs the program with many configurations.

#include <Grappa.hpp>
#include <cstdio>
#include <cstring>
#include <vector>

namespace {

using namespace Grappa;

constexpr int64_t kWords = 1000;
constexpr int64_t kTasks = 500;
constexpr int kStepsOfATask = 6;

uint64_t mixed(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Step {
  uint64_t number;
  int kind() const { return static_cast<int>(number % 5); }
  int64_t word(uint64_t k) const { return static_cast<int64_t>(mixed(number + k) % kWords); }
  int64_t value() const { return static_cast<int64_t>(mixed(number + 77) % 1000); }
  size_t bytes() const {  // one of 100 payloads is larger than a buffer
    const uint64_t x = mixed(number + 99);
    return x % 100 == 0 ? 100000 + x % 1000 : x % 2000;
  }
};

Step step(int64_t task, int k) {
  return Step{mixed(static_cast<uint64_t>(task * kStepsOfATask + k + 1))};
}

int64_t payload_sum(const unsigned char* payload, size_t bytes) {
  int64_t sum = 0;
  for (size_t k = 0; k < bytes; ++k) sum += payload[k] * static_cast<int64_t>(1 + k % 13);
  return sum;
}

std::vector<unsigned char> payload_of(const Step& s) {
  std::vector<unsigned char> payload(s.bytes() + 1);
  for (size_t k = 0; k < payload.size(); ++k) {
    payload[k] = static_cast<unsigned char>(s.number + k * 7);
  }
  return payload;
}

/// The operations of one task on the table.
void run_task(GlobalAddress<int64_t> table, GlobalAddress<int64_t> tickets, int64_t task,
              CompletionEvent* unscoped) {
  const auto home = make_global(unscoped);
  for (int k = 0; k < kStepsOfATask; ++k) {
    const Step s = step(task, k);
    const auto target = table + s.word(0);
    switch (s.kind()) {
      case 0: delegate::increment<async>(target, s.value()); break;
      case 1: {  // each ticket number is returned exactly once
        const int64_t ticket = delegate::fetch_and_add(tickets + s.word(1), 1);
        delegate::increment(table + s.word(1), ticket * ticket + 1);
        break;
      }
      case 2:  // a chain of three messages
        delegate::call<async>(target.core(), [table, s] {
          delegate::call<async>((table + s.word(2)).core(), [table, s] {
            delegate::increment<async>(table + s.word(3), s.value());
          });
        });
        break;
      case 3: {  // this message has no scope, so a second message reports its completion
        unscoped->enroll();
        const std::vector<unsigned char> payload = payload_of(s);
        send_message(
            target.core(),
            [target, home](void* bytes, size_t count) {
              *target.pointer() += payload_sum(static_cast<unsigned char*>(bytes), count);
              send_message(home.core(), [home] { home.pointer()->complete(); });
            },
            payload.data(), payload.size());
        break;
      }
      case 4:
        spawn<unbound>([table, s] {
          if (delegate::read(table + s.word(4)) < 0) yield();
          delegate::increment(table + s.word(5), s.value());
        });
        break;
    }
  }
}

std::vector<int64_t> table_by_a_plain_loop() {
  std::vector<int64_t> table(kWords, 0), tickets(kWords, 0);
  for (int64_t task = 0; task < kTasks; ++task) {
    for (int k = 0; k < kStepsOfATask; ++k) {
      const Step s = step(task, k);
      const auto at = [&s](uint64_t n) { return static_cast<size_t>(s.word(n)); };
      switch (s.kind()) {
        case 0: table[at(0)] += s.value(); break;
        case 1: {
          const int64_t ticket = tickets[at(1)]++;
          table[at(1)] += ticket * ticket + 1;
          break;
        }
        case 2: table[at(3)] += s.value(); break;
        case 3: {
          const std::vector<unsigned char> payload = payload_of(s);
          table[at(0)] += payload_sum(payload.data(), payload.size());
          break;
        }
        case 4: table[at(5)] += s.value(); break;
      }
    }
  }
  return table;
}

CompletionEvent unscoped_messages;  // each core has its own instance

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    auto table = global_alloc<int64_t>(kWords);
    auto tickets = global_alloc<int64_t>(kWords);
    Grappa::memset(table, 0, kWords);
    Grappa::memset(tickets, 0, kWords);
    forall(0, kTasks, [=](int64_t task) { run_task(table, tickets, task, &unscoped_messages); });
    on_all_cores([] { unscoped_messages.wait(); });

    const std::vector<int64_t> expected = table_by_a_plain_loop();
    uint64_t checksum = 0;
    for (int64_t k = 0; k < kWords; ++k) {
      const int64_t value = delegate::read(table + k);
      GRAPPA_CHECK(value == expected[static_cast<size_t>(k)])
          << "word " << k << " is " << value << ", not " << expected[static_cast<size_t>(k)];
      checksum = mixed(checksum + static_cast<uint64_t>(value));
    }
    std::printf("checksum %016llx\n", static_cast<unsigned long long>(checksum));
  });
  return finalize();
}
