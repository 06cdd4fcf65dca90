#include "system/parallel/steal.hpp"

#include "system/observe/counters.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/options.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <random>
#include <vector>

namespace Grappa::detail {
namespace {

Counter asked("steal.asked", "messages", "that asked a random core for tasks");
Counter waits("steal.waits", "messages", "by which this idle core asked a neighbour for tasks");
Counter stolen("steal.tasks", "tasks", "that moved to another core");

struct Neighbour {
  Core core;
  bool knows;  // true if this core is registered as idle at the neighbour
};

struct Stealing {
  std::vector<Neighbour> neighbours;
  std::vector<Core> thieves;  // idle cores that are registered with this core
  std::minstd_rand random;
  int attempts_left = 0;  // number of random victims to ask; set when tasks arrive
  bool asking = false;    // true while an answer has not arrived
};

Stealing stealing;

/// Sends up to half of the stealable tasks, rounded up if this core is busy. Returns their number.
int64_t give(Core thief) {
  Scheduler& mine = scheduler();
  const int64_t have = static_cast<int64_t>(mine.tasks().stealable());
  const bool busy = mine.tasks().live() >= mine.options().num_workers ||
                    mine.ready_workers() != 0 || mine.tasks().size() > mine.tasks().stealable();
  const int64_t half = (have + (busy ? 1 : 0)) / 2;
  const int64_t count = std::min(half, parallel_options().most_tasks_at_once);
  StealableTask task;
  for (int64_t k = 0; k < count && mine.tasks().steal(&task); ++k) task.send(&task.task, thief);
  stolen += static_cast<uint64_t>(count);
  return count;
}

template <class F>
void send_quietly(Core dest, const F& message) {
  append<Acknowledged::Never, MayWait::Never>(dest, nullptr, message);
}

void answer(Core thief, bool waited, bool gave) {
  const Core victim = mycore();
  send_quietly(thief, [victim, waited, gave] {
    if (!waited) stealing.asking = false;
    for (Neighbour& neighbour : stealing.neighbours) {
      if (waited && neighbour.core == victim) neighbour.knows = false;
    }
    if (gave) stealing.attempts_left = parallel_options().steal_attempts;
  });
  flush_to(thief, FlushCause::Asked);
}

}  // namespace

void start_stealing() {
  stealing = Stealing();
  stealing.random.seed(static_cast<uint32_t>(mycore()) + 1);
  for (int distance = 1; distance < cores(); distance *= 2) {
    stealing.neighbours.push_back(Neighbour{core_behind_me(distance), false});
  }
}

void steal() {
  if (cores() == 1 || !parallel_options().steal || stealing.asking) return;
  const Core thief = mycore();
  if (stealing.attempts_left > 0) {
    ++asked;
    --stealing.attempts_left;
    stealing.asking = true;
    const int k = std::uniform_int_distribution<int>(1, cores() - 1)(stealing.random);
    return send_quietly(core_behind_me(k), [thief] { answer(thief, false, give(thief) > 0); });
  }
  for (Neighbour& neighbour : stealing.neighbours) {
    if (neighbour.knows) continue;
    ++waits;
    neighbour.knows = true;
    send_quietly(neighbour.core, [thief] {
      if (give(thief) > 0) return answer(thief, true, true);
      stealing.thieves.push_back(thief);
    });
  }
}

void share() {
  if (!parallel_options().steal) return;
  std::vector<Core>& thieves = stealing.thieves;
  while (!thieves.empty()) {
    const Core thief = thieves.back();
    if (give(thief) == 0) return;
    thieves.pop_back();
    answer(thief, true, true);
  }
}

}  // namespace Grappa::detail
