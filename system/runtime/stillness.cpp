#include "system/runtime/stillness.hpp"

#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/net/transport.hpp"
#include "system/net/world.hpp"
#include "system/observe/clock.hpp"
#include "system/observe/counters.hpp"
#include "system/runtime/waiting_table.hpp"

#include <cstdint>
#include <cstdio>
#include <memory>

namespace Grappa {
namespace detail {
namespace {

using detail::world;
using detail::World;

Counter votes_begun("stillness.votes", "votes", "on whether all cores wait for each other");

struct Ballot {
  uint64_t sent = 0;
  uint64_t received = 0;
  uint64_t abstained = 0;  // cores that are not still, but end
  bool operator==(const Ballot& other) const {
    return sent == other.sent && received == other.received && abstained == other.abstained;
  }
};

struct Vote {
  uint64_t numbers[3];
  std::unique_ptr<World::Sum> sum;

  explicit Vote(const Ballot& mine)
      : numbers{mine.sent, mine.received, mine.abstained},
        sum(world().begin_sum(numbers, 3, World::Sequence::Votes)) {}
  Ballot result() const { return Ballot{numbers[0], numbers[1], numbers[2]}; }
};

struct Stillness {
  uint64_t patience_ns = 0;
  uint64_t since_ns = 0;
  uint64_t begun = 0;          // votes
  std::unique_ptr<Vote> vote;  // that has not ended
  bool has_last = false;
  Ballot last;  // the result of the vote before, if nothing has spoken against it
};

Stillness& stillness() {
  static Stillness state;
  return state;
}

void begin_vote(const Ballot& mine) {
  ++votes_begun;
  ++stillness().begun;
  stillness().vote.reset();  // all have begun it: none waits long
  stillness().vote.reset(new Vote(mine));
}

Ballot my_ballot() {
  Ballot ballot;
  ballot.sent = transport().buffers_sent();
  ballot.received = transport().buffers_received();
  return ballot;
}

/// True if the vote that has ended, and the one before, prove it.
bool decide() {
  Stillness& state = stillness();
  const Ballot result = state.vote->result();
  state.vote.reset();
  const bool balanced = result.sent == result.received && result.abstained == 0;
  const bool again = state.has_last && result == state.last;
  state.has_last = balanced;
  state.last = result;
  return balanced && again;
}

void report_deadlock() {
  const std::vector<std::string> parts = world().gather_texts(waiting_part());
  if (mycore() != 0) return;
  const std::string text =
      "grappa: deadlock: every task waits, and nothing is left that could wake one\n" +
      waiting_table(parts);
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

void start_stillness(uint64_t patience_ns) {
  stillness() = Stillness();
  stillness().patience_ns = patience_ns;
}

bool watch_stillness(bool first) {
  Stillness& state = stillness();
  if (first) state.since_ns = steady_ns();
  if (aggregator().holds_messages()) return false;
  if (state.vote == nullptr) {
    // The second vote of two need not wait: what counts is that this core is still.
    if (!state.has_last && steady_ns() - state.since_ns < state.patience_ns) return false;
    begin_vote(my_ballot());
  }
  if (!state.vote->sum->done()) return false;
  if (decide()) {
    report_deadlock();
    return true;
  }
  if (!state.has_last) state.since_ns = steady_ns();
  return false;
}

void end_stillness(void (*meanwhile)()) {
  Stillness& state = stillness();
  uint64_t begun[] = {state.begun};
  std::unique_ptr<World::Sum> all = world().begin_sum(begun, 1);
  while (!all->done()) meanwhile();
  // A vote begins when all have begun the one before: they differ by one at most.
  if (begun[0] / static_cast<uint64_t>(cores()) == state.begun &&
      begun[0] % static_cast<uint64_t>(cores()) != 0) {
    Ballot abstention;
    abstention.abstained = 1;
    begin_vote(abstention);
  }
  state.vote.reset();  // waits for it
  state.has_last = false;
}

}  // namespace detail
}  // namespace Grappa
