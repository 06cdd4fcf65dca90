/// Programs in which nothing can happen any more, each in its own way: the job must say so and end.

#include <Grappa.hpp>

#include <csignal>
#include <cstdio>
#include <map>
#include <string>

#include <unistd.h>

namespace {

/// Sends a signal to this process while init reads the flags.
bool validate(const char*, const std::string& way) {
  if (way == "signal_in_init") std::raise(SIGUSR1);
  return true;
}

}  // namespace

DEFINE_string(way, "", "how to deadlock");
DEFINE_validator(way, &validate);
DEFINE_double(seconds, 1, "how long a computation is");

using namespace Grappa;

namespace {

/// On every core.
Mutex mutex;
FullEmpty<int64_t> never_filled;

Core core_after(Core core, int64_t distance) {
  return static_cast<Core>((core + distance) % cores());
}

/// Each of `n` tasks holds the mutex of its core, or one of its own on one core, and asks for the
/// next one's.
void lock_cycle(int64_t n) {
  static Mutex mutexes[3];
  const GlobalAddress<Mutex> home = make_global(mutexes, 0);
  static CompletionEvent locked(n);
  const GlobalAddress<CompletionEvent> event = make_global(&locked, 0);
  finish([=] {
    for (int64_t k = 0; k < n; ++k) {
      delegate::call<async>(core_after(0, k), [=] {
        spawn([=] {
          const auto mutex_of = [=](int64_t task) {
            return make_global((home + task % n).pointer(), core_after(0, task % n));
          };
          lock(mutex_of(k));
          complete(event);
          delegate::call(event.core(), [event] { event.pointer()->wait(); });
          lock(mutex_of(k + 1));
        });
      });
    }
  });
}

void lock_cycle_of_two() { lock_cycle(2); }
void lock_cycle_of_three() { lock_cycle(3); }

void full_empty() {
  on_all_cores([] { never_filled.readFF(); });
}

void remote_full_empty() {
  const Core last = static_cast<Core>(cores() - 1);
  readFF(make_global(&never_filled, last));
}

void barrier_without_last() {
  on_all_cores([] {
    if (mycore() + 1 == cores() && cores() > 1) return;
    if (cores() == 1) never_filled.readFE();
    barrier();
  });
}

void scope() {
  CompletionEvent never(1);
  CompletionEvent* event = &never;
  finish([event] { spawn([event] { event->wait(); }); });
}

void loop() {
  forall(0, 100, [](int64_t) { never_filled.readFF(); });
}

GlobalCompletionEvent never_completed;

void global_event() {
  never_completed.enroll();
  never_completed.wait();
}

void semaphore() {
  static CountingSemaphore units(1);
  units.decrement(2);
}

/// No deadlock: one core computes for long without a switch, then sleeps, while the others wait.
void long_computation() {
  delegate::call(static_cast<Core>(cores() - 1), [] {
    const double end = walltime() + FLAGS_seconds;
    while (walltime() < end) {}
    sleep_for(FLAGS_seconds);
  });
}

/// No deadlock while the last core's task sleeps.
void sleeper() {
  std::puts("started");
  std::fflush(stdout);
  finish([] {
    spawn([] { never_filled.readFF(); });
    delegate::call<async>(static_cast<Core>(cores() - 1), [] { sleep_for(1000); });
  });
}

/// The same, but the last core's task computes first, and does not switch.
GRAPPA_NOINLINE void spin_without_end() {
  volatile bool go_on = true;
  while (go_on) {}
}

/// Prints the process of the last core, which spins from then on.
void spinner() {
  delegate::call<async>(static_cast<Core>(cores() - 1), [] {
    spawn([] {
      std::printf("started %d\n", static_cast<int>(::getpid()));
      std::fflush(stdout);
      spin_without_end();
    });
  });
  sleep_for(1000);
}

void busy_sleeper() {
  finish([] {
    spawn([] { never_filled.readFF(); });
    delegate::call<async>(static_cast<Core>(cores() - 1), [] {
      std::puts("started");
      std::fflush(stdout);
      const double end = walltime() + FLAGS_seconds;
      while (walltime() < end) {}
      sleep_for(1000);
    });
  });
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  const std::map<std::string, void (*)()> ways = {
      {"lock_cycle_of_two", lock_cycle_of_two},
      {"lock_cycle_of_three", lock_cycle_of_three},
      {"full_empty", full_empty},
      {"remote_full_empty", remote_full_empty},
      {"barrier_without_last", barrier_without_last},
      {"scope", scope},
      {"loop", loop},
      {"global_event", global_event},
      {"semaphore", semaphore},
      {"long_computation", long_computation},
      {"sleeper", sleeper},
      {"busy_sleeper", busy_sleeper},
      {"spinner", spinner},
      {"signal_in_init", [] { sleep_for(0.01); }},
  };
  const auto way = ways.find(FLAGS_way);
  if (way == ways.end()) input_error("flag --way: no such way");
  run([way] { way->second(); });
  return finalize();
}
