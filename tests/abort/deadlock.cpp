/// Deadlocks, which the job must report, and long waits, which are not deadlocks. Each --way is one
/// case.

#include <Grappa.hpp>

#include <csignal>
#include <cstdio>
#include <map>
#include <string>

#include <unistd.h>

namespace {

/// Sends a signal to this process while init parses the flags.
bool validate(const char*, const std::string& way) {
  if (way == "signal_in_init") std::raise(SIGUSR1);
  return true;
}

}  // namespace

DEFINE_string(way, "", "how to deadlock");
DEFINE_validator(way, &validate);
DEFINE_double(seconds, 1, "duration of a computation");

using namespace Grappa;

namespace {

// One object of each kind per core.
Mutex mutex;
FullEmpty<int64_t> never_filled;

Core core_after(Core core, int64_t distance) {
  return static_cast<Core>((core + distance) % cores());
}

/// Each of `n` tasks holds a mutex and then requests the mutex of the next task. Task k and its
/// mutex are on core k, modulo the number of cores.
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

/// Is no deadlock: the last core computes without a switch and then sleeps, while the others wait.
void long_computation() {
  delegate::call(static_cast<Core>(cores() - 1), [] {
    const double end = walltime() + FLAGS_seconds;
    while (walltime() < end) {}
    sleep_for(FLAGS_seconds);
  });
}

/// Is no deadlock, because the task of the last core sleeps.
void sleeper() {
  std::puts("started");
  std::fflush(stdout);
  finish([] {
    spawn([] { never_filled.readFF(); });
    delegate::call<async>(static_cast<Core>(cores() - 1), [] { sleep_for(1000); });
  });
}

GRAPPA_NOINLINE void spin_without_end() {
  volatile bool go_on = true;
  while (go_on) {}
}

/// Prints the process id of the last core, which then spins forever.
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

/// Like sleeper(), but the task of the last core first computes without a switch.
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
