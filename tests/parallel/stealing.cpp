#include "tests/parallel/stealing.hpp"

#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/task.hpp"

#include <cstring>

namespace Grappa {

using namespace detail;

int64_t ran_here = 0;
int64_t sum_here = 0;

namespace {

/// The number of messages that a core has sent as a thief.
uint64_t requests_of(Core core) {
  return delegate::call(core, [] { return counted("steal.asked") + counted("steal.waits"); });
}

struct NumberedTask {
  int64_t number;

  void operator()() {
    ran_in_order().push_back(number);
    ++ran_here;
    sum_here += number;
  }

  static void send(Task* task, Core thief) {
    gifts().push_back(Gift{task->body.body<NumberedTask>().number, thief});
    detail::StealableBody<NumberedTask>::send(task, thief);
  }
};

}  // namespace

void reset() {
  on_all_cores([] { ran_here = sum_here = 0; });
}

int64_t ran_in_all() {
  int64_t ran = 0;
  for (Core core = 0; core < cores(); ++core) {
    ran += delegate::call(core, [] { return ran_here; });
  }
  return ran;
}

int64_t sum_of_all() {
  int64_t sum = 0;
  for (Core core = 0; core < cores(); ++core) {
    sum += delegate::call(core, [] { return sum_here; });
  }
  return sum;
}

uint64_t counted(const char* name) {
  for (const Counter* counter = Counter::first(); counter != nullptr; counter = counter->next()) {
    if (std::strcmp(counter->name(), name) == 0) return counter->value();
  }
  GRAPPA_CHECK(false) << "no counter " << name;
  return 0;
}

uint64_t requests_of_all() {
  uint64_t requests = 0;
  for (Core core = 0; core < cores(); ++core) requests += requests_of(core);
  return requests;
}

uint64_t wait_for_empty_polls(Core core, uint64_t polls) {
  const auto empty_polls = [] { return counted("message.empty_polls"); };
  const uint64_t enough = delegate::call(core, empty_polls) + polls;
  uint64_t questions = 1;
  for (uint64_t seen = 0; seen < enough; ++questions) seen = delegate::call(core, empty_polls);
  return questions;
}

void fall_silent() {
  uint64_t before;
  do {
    before = requests_of_all();
    // Messages between two cores arrive in order. So after these calls, all requests have been
    // answered.
    on_all_cores([] {
      for (Core core = 0; core < cores(); ++core) delegate::call(core, [] {});
    });
    // A core is idle only while its main task is suspended, so another core must observe the core.
    for (Core core = 0; core < cores() && cores() > 1; ++core) {
      const Core observer = static_cast<Core>((core + 1) % cores());
      delegate::call(observer, [core] { return wait_for_empty_polls(core, 20); });
    }
  } while (requests_of_all() != before);
}

std::vector<Gift>& gifts() {
  static std::vector<Gift> all;
  return all;
}

std::vector<int64_t>& ran_in_order() {
  static std::vector<int64_t> numbers;
  return numbers;
}

void spawn_numbered(int64_t first, int64_t end) {
  for (int64_t number = first; number < end; ++number) {
    const StealableTask task = {{Closure::make(NumberedTask{number}), current_scope()},
                                &NumberedTask::send};
    scheduler().tasks().push_stealable(task);
  }
}

void reset_and_fall_silent() {
  on_all_cores([] {
    ran_here = sum_here = 0;
    gifts().clear();
    ran_in_order().clear();
  });
  fall_silent();
}

std::set<Core> cores_that_leave_word_here() {
  std::set<Core> thieves;
  for (int distance = 1; distance < cores(); distance *= 2) {
    thieves.insert(static_cast<Core>((mycore() + cores() - distance) % cores()));
  }
  return thieves;
}

std::set<Core> thieves_of_gifts() {
  std::set<Core> thieves;
  for (const Gift& gift : gifts()) thieves.insert(gift.thief);
  return thieves;
}

}  // namespace Grappa
