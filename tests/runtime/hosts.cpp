/// A job on several hosts, for hosts_test.sh. Checks that its locales are the hosts. Then the cores
/// of all hosts communicate in rounds: along a ring, by delegates to an array over all hosts, and
/// in collectives.

#include <Grappa.hpp>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <unistd.h>

DEFINE_int32(hosts, 1, "expected number of hosts");
DEFINE_string(until, "", "run until a file of this name exists; empty: 20 rounds");

namespace {

using namespace Grappa;

constexpr int64_t kWords = 5000;
constexpr int64_t kRounds = 20;
constexpr int64_t kRoundsToALine = 10;

struct HostName {
  char text[64];
};

int64_t passed_on = 0;  // number of messages from the neighbour of this core

/// Checks that cores share a locale if and only if they share a host.
void check_locales() {
  GRAPPA_CHECK(locales() == FLAGS_hosts) << locales() << " locales";
  on_all_cores([] {
    HostName mine = {};
    ::gethostname(mine.text, sizeof mine.text - 1);
    const std::vector<HostName> names = allgather(mine);
    for (int core = 0; core < cores(); ++core) {
      const char* name = names[static_cast<size_t>(core)].text;
      GRAPPA_CHECK((std::strcmp(name, mine.text) == 0) ==
                   (locale_of(static_cast<Core>(core)) == mylocale()))
          << "core " << core << " is on host " << name << ", this core on " << mine.text;
    }
  });
}

void check_round(int64_t round, GlobalAddress<int64_t> words) {
  on_all_cores([] {
    const Core next = static_cast<Core>((mycore() + 1) % cores());
    delegate::call<async>(next, [] { ++passed_on; });
  });
  forall(0, kWords, [words](int64_t i) {
    delegate::increment<async>(words + (i * 7919) % kWords, 1);  // each word once: 7919 is a prime
  });
  on_all_cores([round, words] {
    GRAPPA_CHECK(passed_on == round);
    int64_t sum = 0;
    for (const int64_t& word : iterate_local(words, kWords)) {
      GRAPPA_CHECK(word == round);
      sum += word;
    }
    const int64_t total = allreduce<int64_t, collective_add>(sum);
    GRAPPA_CHECK(total == round * kWords);
  });
}

bool enough(int64_t rounds) {
  return FLAGS_until.empty() ? rounds == kRounds : ::access(FLAGS_until.c_str(), F_OK) == 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    check_locales();
    const auto words = global_alloc<int64_t>(kWords);
    Grappa::memset(words, 0, kWords);
    int64_t round = 0;
    while (!enough(round)) {
      check_round(++round, words);
      if (round % kRoundsToALine == 0) {
        std::printf("round %lld\n", static_cast<long long>(round));
        std::fflush(stdout);
      }
    }
    std::printf("%d cores on %d hosts agree\n", static_cast<int>(cores()),
                static_cast<int>(locales()));
  });
  return finalize();
}
