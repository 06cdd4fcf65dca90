#include "system/runtime/quiescence.hpp"

#include "system/failure/failure.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <array>
#include <cstdio>
#include <memory>

namespace Grappa::detail {
namespace {

Counter votes_begun("quiescence.votes", "votes", "on whether the job is deadlocked");

/// The contribution of a core to a vote, or the sums over all cores.
enum { kSent, kReceived, kAbstained };  // numbers of buffers, and of cores whose run() has ended
typedef std::array<uint64_t, 3> Ballot;

struct Quiescence {
  uint64_t patience_ticks = 0;
  uint64_t since_ticks = 0;
  uint64_t begun = 0;               // number of votes
  Ballot ballot;                    // ballot of the vote in progress
  std::unique_ptr<World::Sum> sum;  // null if no vote is in progress
  bool has_last = false;
  Ballot last;  // result of the previous vote, if that vote was balanced
} state;

void begin_vote(const Ballot& mine) {
  ++votes_begun;
  ++state.begun;
  state.sum.reset();  // a short wait: all cores have begun the old vote
  state.ballot = mine;
  state.sum = world().begin_sum(state.ballot.data(), mine.size(), World::Sequence::Votes);
}

/// Returns true if the completed vote and the previous vote prove a deadlock.
bool decide() {
  state.sum.reset();
  const Ballot& result = state.ballot;
  const bool balanced = result[kSent] == result[kReceived] && result[kAbstained] == 0;
  const bool again = state.has_last && result == state.last;
  state.has_last = balanced;
  state.last = result;
  return balanced && again;
}

void report_deadlock() {
  const std::vector<std::string> parts = world().gather_texts(waiting_part());
  if (mycore() != 0) return;
  const std::string text =
      "grappa: deadlock: every task waits, and nothing can wake a task\n" + waiting_table(parts);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void start_quiescence(int64_t patience_ns) {
  state = Quiescence();
  state.patience_ticks = ticks_of(patience_ns);
}

bool watch_quiescence(bool first) {
  if (first) state.since_ticks = ticks();
  // A task may wait for a buffer, which this core gets back some time after it was executed.
  if (aggregator().holds_messages() || !transport().has_all_buffers()) return false;
  if (state.sum == nullptr) {
    // The second of two votes has no delay. It only requires that this core is quiescent.
    if (!state.has_last && ticks() - state.since_ticks < state.patience_ticks) return false;
    begin_vote({transport().buffers_sent(), transport().buffers_received(), 0});
  }
  if (!state.sum->done()) return false;
  if (decide()) {
    if (virtual_time != nullptr) {
      virtual_time->deadlocked(scheduler().has_work() || aggregator().holds_messages());
    }
    report_deadlock();
    return true;
  }
  if (!state.has_last) state.since_ticks = ticks();
  return false;
}

uint64_t quiescence_due_ticks() {
  if (state.sum != nullptr) return UINT64_MAX;
  return state.has_last ? 0 : state.since_ticks + state.patience_ticks;
}

void end_quiescence(void (*meanwhile)()) {
  uint64_t begun[] = {state.begun};
  std::unique_ptr<World::Sum> all = world().begin_sum(begun, 1);
  while (!all->done()) meanwhile();
  // A core begins a vote only after all cores began the previous vote, so counts differ by 0 or 1.
  if (begun[0] / static_cast<uint64_t>(cores()) == state.begun &&
      begun[0] % static_cast<uint64_t>(cores()) != 0) {
    begin_vote({0, 0, 1});  // an abstention
  }
  state.sum.reset();  // waits until the vote has completed
  state.has_last = false;
}

}  // namespace Grappa::detail
