#include "system/parallel/collective.hpp"

#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"
#include "system/observe/counters.hpp"
#include "system/parallel/collective_tree.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <sstream>
#include <string>

// A collective has one *round* for each piece of its data. All cores number the rounds alike. A
// core is at most kWindow rounds ahead of its results, so kWindow entries hold all contributions
// that can arrive, in any order (docs/design.md, Collectives).

namespace Grappa {
namespace detail {
namespace {

Counter completed_collectives("collective.completed", "collectives", "that tasks returned from");
Counter contributions("collective.contributions", "messages",
                      "received that carry the value of a subtree");
Counter results("collective.results", "messages", "received with results");

constexpr size_t kPieceBytes = kMaxClosureBytes;  // so a piece fits in one message
constexpr uint32_t kFirstRound = 0u - 100;        // round numbers wrap around early in every job

/// The maximum number of rounds in progress. A round takes the memory of a piece for each branch.
constexpr uint32_t kWindow = 4;
static_assert((kWindow & (kWindow - 1)) == 0, "round numbers wrap around to 0");

struct Call {
  const CollectiveKind* kind;
  uint64_t count : 48;
  uint64_t root : 16;

  bool operator==(const Call& other) const {
    return kind == other.kind && count == other.count && root == other.root;
  }

  size_t elements_a_piece() const { return kPieceBytes / kind->element_bytes; }

  uint32_t pieces() const {
    const size_t most = elements_a_piece();
    return std::max(1u, static_cast<uint32_t>((count + most - 1) / most));  // a barrier has one
  }

  size_t offset_of(uint32_t piece) const {
    return piece * elements_a_piece() * kind->element_bytes;
  }
  size_t bytes_of(uint32_t piece) const {
    return std::min(count * kind->element_bytes, offset_of(piece + 1)) - offset_of(piece);
  }
};

struct Contribution {  // the message up the tree, with the combined values of a branch
  Call call;
  uint32_t round;
  uint32_t piece;

  void operator()(void* payload, size_t bytes);
};

struct Result {  // the message down the tree
  uint32_t round;

  void operator()(void* payload, size_t bytes);
};

/// Never suspends: the state of a round must not change while this core sends it.
template <class F>
void send(Core dest, const F& message, const void* payload, size_t bytes) {
  PayloadMessage<F, Acknowledged::Never, MayWait::Never>::send(dest, message, payload, bytes);
  if (dest != mycore()) flush_to(dest, FlushCause::LatencyCritical);
}

std::string describe(const Call& call) {
  std::ostringstream text;
  text << call.kind->name;
  if (call.kind->signature == nullptr) return text.str();
  std::string what = call.kind->signature();
  what = what.substr(what.rfind(" = ") + 3);
  if (!what.empty() && what.back() == ']') what.pop_back();
  const bool operation = call.kind->shows == CollectiveKind::Shows::Operation;
  text << " of ";
  if (operation && call.count != 1) text << call.count << " times ";
  text << call.kind->element_bytes << (operation ? " bytes with " + what : " bytes (" + what + ")");
  if (call.kind->shows == CollectiveKind::Shows::TypeAndRoot) text << " from core " << call.root;
  return text.str();
}

std::string ordinal(uint64_t n) {
  const char* const endings[] = {"th", "st", "nd", "rd"};
  return std::to_string(n) + endings[n / 10 % 10 == 1 || n % 10 > 3 ? 0 : n % 10];
}

class Collectives {
 public:
  void take_part(const Call& call, char* data) {
    GRAPPA_CHECK(caller_ == nullptr)
        << "two tasks of one core are in a collective at the same time: one in "
        << describe(caller_->call) << ", the other calls " << describe(call);
    const uint32_t first_round = ended_, pieces = call.pieces();
    Caller caller = {call, data, first_round, nullptr, 0};
    caller_ = &caller;
    for (uint32_t piece = 0; piece < pieces; ++piece) {
      wait_until(first_round + piece - kWindow + 1);
      add({call, first_round + piece, piece}, mycore(), data + call.offset_of(piece));
    }
    wait_until(first_round + pieces);
    caller_ = nullptr;
    ++completed_;
    ++completed_collectives;
    scheduler().yield_if_due();  // the last core that calls does not suspend above
  }

  /// Adds the values of core `from`: a child of this core, or this core itself.
  void add(const Contribution& contribution, Core from, const void* values) {
    GRAPPA_DCHECK(contribution.round - ended_ < kWindow) << "a core is ahead of the results";
    Round& round = this->round(contribution.round);
    const size_t bytes = contribution.call.bytes_of(contribution.piece);
    if (round.arrived == 0) {
      round.first = contribution;
      round.first_from = from;
      round.values.resize(tree_.branches.size() * bytes);
    } else {
      check_agreement(round, contribution, from);
    }
    const auto branch = std::find(tree_.branches.begin(), tree_.branches.end(), from);
    const size_t before = static_cast<size_t>(branch - tree_.branches.begin()) * bytes;
    if (bytes != 0) std::memcpy(round.values.data() + before, values, bytes);
    if (++round.arrived == tree_.branches.size()) pass_on(&round);
  }

  void end_round(uint32_t number, const void* values, size_t bytes) {
    // The last branches are the largest subtrees, so their results are sent first.
    for (size_t k = tree_.branches.size(); --k > 0;) {
      send(tree_.branches[k], Result{number}, values, bytes);
    }
    GRAPPA_DCHECK(caller_ != nullptr) << "a result arrived, but no task waits in a collective";
    char* const to = caller_->data + caller_->call.offset_of(number - caller_->first_round);
    if (bytes != 0) std::memcpy(to, values, bytes);
    round(number).ended = true;
    for (; round(ended_).ended; ++ended_) round(ended_).ended = false;
    Caller& caller = *caller_;
    if (caller.waiting == nullptr || static_cast<int32_t>(ended_ - caller.until) < 0) return;
    scheduler().wake(caller.waiting);
    caller.waiting = nullptr;
  }

  CollectiveStanding standing() const {
    CollectiveStanding standing = {completed_, caller_ != nullptr, {}};
    if (standing.waiting) describe(caller_->call).copy(standing.what, sizeof standing.what - 1);
    return standing;
  }

 private:
  struct Caller {
    Call call;
    char* data;
    uint32_t first_round;
    Worker* waiting;  // waits until all rounds before `until` have ended
    uint32_t until;
  };
  struct Round {
    Contribution first;  // the first one that arrived
    Core first_from;
    size_t arrived = 0;
    bool ended = false;        // true if this round has ended, but an earlier round has not
    std::vector<char> values;  // the values of the branches, one after the other
  };

  Round& round(uint32_t number) { return rounds_[number % kWindow]; }

  /// Suspends: until all rounds before `ended` have ended.
  void wait_until(uint32_t ended) {
    if (static_cast<int32_t>(ended_ - ended) >= 0) return;
    caller_->waiting = scheduler().current();
    caller_->until = ended;
    suspend(WaitReason(WaitReason::Kind::Collective, completed_ + 1));
  }

  void check_agreement(const Round& round, const Contribution& other, Core from) const {
    GRAPPA_CHECK(other.call == round.first.call)
        << "core " << from << " calls " << describe(other.call) << " as its "
        << ordinal(number_of_collective(other.round)) << " collective, core " << round.first_from
        << " calls " << describe(round.first.call)
        << ": every core must call the same collectives in the same order";
    GRAPPA_DCHECK(other.round == round.first.round && other.piece == round.first.piece);
  }

  uint64_t number_of_collective(uint32_t round) const {
    const bool next = caller_ != nullptr && round - caller_->first_round >= caller_->call.pieces();
    return completed_ + (next ? 2 : 1);
  }

  /// Called when the core and all its branches have contributed.
  void pass_on(Round* round) {
    round->arrived = 0;
    const Contribution& all = round->first;
    char* const values = round->values.data();
    const size_t bytes = all.call.bytes_of(all.piece);
    for (size_t k = 1; k < tree_.branches.size() && bytes != 0; ++k) {
      all.call.kind->combine(values, values + k * bytes, bytes);
    }
    if (tree_.parent >= 0) {
      send(tree_.parent, all, values, bytes);
    } else if (cores() == 1) {
      // A single core suspends, too, so other tasks run, and a second caller is detected.
      send(mycore(), Result{all.round}, values, bytes);
    } else {
      end_round(all.round, values, bytes);
    }
  }

  const CollectiveTree tree_{topology()};
  Round rounds_[kWindow];
  uint32_t ended_ = kFirstRound;  // all rounds before this number have ended
  uint64_t completed_ = 0;
  Caller* caller_ = nullptr;
};

Collectives& collectives() {
  static Collectives state;
  return state;
}

void Contribution::operator()(void* payload, size_t bytes) {
  GRAPPA_DCHECK(bytes == call.bytes_of(piece)) << "a contribution of " << bytes << " bytes";
  ++contributions;
  collectives().add(*this, the_sender, payload);
}

void Result::operator()(void* payload, size_t bytes) {
  ++results;
  collectives().end_round(round, payload, bytes);
}

constexpr CollectiveKind kBarrier = {"barrier", nullptr, CollectiveKind::Shows::Operation, 1,
                                     nullptr};

}  // namespace

void collect(const CollectiveKind& kind, void* data, size_t count, Core root) {
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << kind.name << " outside of a task: call it inside Grappa::run";
  GRAPPA_CHECK(count < uint64_t{1} << 48) << kind.name << " of " << count << " elements";
  collectives().take_part(Call{&kind, count, static_cast<uint16_t>(root)},
                          static_cast<char*>(data));
}

CollectiveStanding collective_standing() { return collectives().standing(); }

}  // namespace detail

void barrier() { detail::collect(detail::kBarrier, nullptr, 0, 0); }

}  // namespace Grappa
