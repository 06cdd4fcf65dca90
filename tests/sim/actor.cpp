/// A program for tests of simulations. The first argument says what it does.

#include <Grappa.hpp>

#include "system/message/wire.hpp"
#include "system/net/transport.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>

#include <signal.h>
#include <time.h>

using namespace Grappa;

namespace {

/// Sends `count` increments from each core to random words of all cores, and prints their sum.
void exchange(int64_t count, int64_t iterations) {
  const int64_t words = 1 << 10;
  const GlobalAddress<int64_t> table = global_alloc<int64_t>(words);
  Grappa::memset(table, int64_t{0}, words);
  on_all_cores([=] {
    uint64_t random = static_cast<uint64_t>(mycore()) + 1;
    for (int64_t k = 0; k < count; ++k) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      delegate::increment<async>(table + static_cast<int64_t>(random >> 54), int64_t{1});
      if (k % 64 == 0) delegate::read(table + static_cast<int64_t>(random >> 54));
    }
  });
  forall(0, iterations, [](int64_t) {});
  int64_t sum = 0;
  for (int64_t k = 0; k < words; k += 64) {
    for (int64_t j = k; j < k + 64; ++j) sum += delegate::read(table + j);
  }
  std::printf("sum %lld of %lld\n", static_cast<long long>(sum),
              static_cast<long long>(count * cores()));
  global_free(table);
}

/// Computes for 20 ms of processor time, without a call of Grappa.
void compute() {
  timespec now = {};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  const int64_t begin_ns = now.tv_sec * 1000000000 + now.tv_nsec;
  while (now.tv_sec * 1000000000 + now.tv_nsec < begin_ns + 20000000) {
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  }
}

/// Sends a buffer of core 0 to core 1, where it has no effect.
detail::Buffer* send_empty_buffer() {
  detail::Buffer* const buffer = detail::transport().acquire();
  auto* const run = reinterpret_cast<detail::RunHeader*>(buffer->runs());
  *run = detail::RunHeader();
  run->dest = -1;
  run->span_bytes = buffer->used_bytes = detail::kCacheLineBytes;
  buffer->mixed = false;
  detail::transport().send(1, buffer);
  return buffer;
}

/// Errors that the simulation must find.
void break_rules(const std::string& what) {
  if (what == "change") {
    detail::Buffer* const buffer = send_empty_buffer();
    sleep_for(1e-9);
    ++buffer->runs()[detail::kCacheLineBytes - 1];
    sleep_for(1);
  }
  if (what == "resend") detail::transport().send(1, send_empty_buffer());
  if (what == "spin") {
    for (;;) detail::virtual_time->idle_until(detail::steady_ns() + 1000);
  }
  if (what == "claim") {
    detail::virtual_time->deadlocked(true);
    sleep_for(1);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const std::string what = argc > 1 ? argv[1] : "";
  const int64_t number = argc > 2 ? std::atoll(argv[2]) : 0;
  const int64_t more = argc > 3 ? std::atoll(argv[3]) : 0;
  const bool in_thread = what == "thread";
  std::thread other([in_thread] {
    if (in_thread) std::this_thread::sleep_for(std::chrono::seconds(30));
  });
  if (!in_thread) other.join();
  init(&argc, &argv);
  const double begin = walltime();
  run([&] {
    if (what == "exchange") exchange(more > 0 ? more : 1000, number);
    if (what == "say") {
      on_all_cores([] {
        for (int k = 0; k < 3; ++k) {
          std::printf("core %d, line %d\n", mycore(), k);
          std::fflush(stdout);
          sleep_for(1e-5 * (cores() - mycore()));
        }
        std::fprintf(stderr, "rest of core %d", mycore());
      });
    }
    if (what == "tasks") {
      finish([] {
        for (int k = 0; k < 8; ++k) {
          spawn([k] {
            delegate::call(cores() - 1, [] {});
            std::printf("task %d\n", k);
          });
        }
      });
    }
    if (what == "sleep") sleep_for(3600);
    if (what == "sleep_long") sleep_for(1e8);
    if (what == "charge") charge_ns(1000000000);
    if (what == "miss") charge_misses(1000000);
    if (what == "compute") compute();
    break_rules(what);
    if (what == "busy") {
      while (walltime() - begin < 0.001) {}
    }
    if (what == "clock") {  // the time of 1000 readings on each core
      on_all_cores([] {
        const double first = walltime();
        for (int k = 1; k < 1000; ++k) (void)walltime();
        std::printf("core %d: %.0f ns\n", mycore(), (walltime() - first) * 1e9);
      });
    }
    if (what == "deadlock") {
      FullEmpty<int> never;
      never.readFF();
    }
    if (what == "fail") {  // core 1 fails before core 2, in virtual time
      on_all_cores([] {
        if (mycore() == 0) sleep_for(1);
        sleep_for(mycore() == 1 ? 1e-6 : 2e-6);
        CHECK(false) << "core " << mycore() << " failed";
      });
    }
    if (what == "exit") {
      on_all_cores([] {
        if (mycore() == 1) std::_Exit(7);
        sleep_for(1);
      });
    }
    if (what == "forever") {
      forall(0, 1000000000, [](int64_t) { yield(); });
    }
  });
  if (mycore() == 0 && (what == "sleep" || what == "charge" || what == "miss" ||
                        what == "compute" || what == "busy")) {
    std::printf("%.6f seconds\n", walltime() - begin);
  }
  if (what == "lose" && mycore() == 0) send_empty_buffer();
  if (what == "keep") {
    if (mycore() == 0) send_empty_buffer();
    for (bool kept = mycore() == 0; !kept;) {
      kept = detail::transport().receive() != nullptr;
      detail::virtual_time->idle_until(detail::steady_ns() + 1000);
    }
  }
  return finalize();
}
