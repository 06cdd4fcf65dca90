#include "system/parallel/collective.hpp"

#include "system/message/aggregator.hpp"
#include "system/message/send.hpp"
#include "system/observe/counters.hpp"
#include "system/parallel/collective_tree.hpp"
#include "system/tasking/scheduler.hpp"

#include <algorithm>
#include <cstring>
#include <sstream>
#include <string>

// A collective has one *round* for each piece of its data. All cores number the rounds alike,
// because all call the same collectives in the same order. A core contributes to a round when its
// task has called. The core sends the contribution of its branch to its parent when the branch is
// complete. The root turns the contributions into the result, which is sent down the tree. A core
// contributes to at most kWindow rounds that have not ended for it. Its results come through its
// parent, so its contributions are at most kWindow rounds ahead of the parent, too, even if the
// parent's task has not called. So kWindow entries hold all that can arrive, in any order.

namespace Grappa {
namespace detail {
namespace {

Counter completed_collectives("collective.completed", "collectives", "that tasks returned from");
Counter contributions("collective.contributions", "messages",
                      "received that carry the value of a subtree");
Counter results("collective.results", "messages", "received with results");

/// The size of a piece. A piece is one message: it fits in every buffer, and is so large that the
/// cost of its header is negligible.
constexpr size_t kPieceBytes = kMaxClosureBytes;

/// The number of rounds in progress: several pieces of an array are sent before the first result is
/// back. Each round takes the memory of a piece for each branch.
constexpr uint32_t kWindow = 4;
static_assert((kWindow & (kWindow - 1)) == 0, "round numbers wrap around to 0");

/// Round numbers wrap around early in every job, and not after an hour in some jobs.
constexpr uint32_t kFirstRound = 0u - 100;

/// The parameters of a call. All cores must agree on them.
struct Call {
  const CollectiveKind* kind;
  uint64_t count : 48;
  uint64_t root : 16;

  bool operator==(const Call& other) const {
    return kind == other.kind && count == other.count && root == other.root;
  }

  size_t elements_a_piece() const {
    return std::max<size_t>(1, kPieceBytes / std::max<uint32_t>(1, kind->element_bytes));
  }
  /// A collective without elements has one round, too.
  uint32_t pieces() const {
    const size_t most = elements_a_piece();
    return std::max(1u, static_cast<uint32_t>((count + most - 1) / most));
  }
};

/// The elements of a call that one round transfers.
struct Piece {
  Piece(const Call& call, uint32_t number)
      : first(number * call.elements_a_piece()),
        end(std::min<size_t>(call.count, first + call.elements_a_piece())) {}
  size_t first, end;
};

/// The message up the tree, with the values of all cores of a branch.
struct Contribution {
  Call call;
  uint32_t round;
  uint32_t piece;

  void operator()(void* payload, size_t bytes);
};

/// The message down the tree, with the result.
struct Result {
  uint32_t round;

  void operator()(void* payload, size_t bytes);
};

/// Sends at once, because tasks of other cores wait for the message. Never suspends: the state of a
/// round must not change while this core sends it.
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
  text << " of ";
  const bool combines = call.kind->makes == CollectiveKind::Makes::Combined;
  if (combines && call.count != 1) text << call.count << " times ";
  text << call.kind->element_bytes << " bytes " << (combines ? "with " : "(") << what;
  if (!combines) text << ")";
  if (call.kind->makes == CollectiveKind::Makes::Picked) text << " from core " << call.root;
  return text.str();
}

std::string ordinal(uint64_t n) {
  const char* ending = "th";
  if (n / 10 % 10 != 1)
    ending = n % 10 == 1 ? "st" : n % 10 == 2 ? "nd" : n % 10 == 3 ? "rd" : "th";
  return std::to_string(n) + ending;
}

/// The state of this core in collectives.
class Collectives {
 public:
  void take_part(const Call& call, char* data) {
    GRAPPA_CHECK(caller_ == nullptr)
        << "two tasks of one core are in a collective at the same time: one in "
        << describe(caller_->call) << ", the other calls " << describe(call);
    Caller caller = {call, data, ended_, call.pieces(), nullptr, 0};
    caller_ = &caller;
    for (uint32_t piece = 0; piece < caller.pieces; ++piece) {
      wait_until(caller.first_round + piece - kWindow + 1);
      contribute(piece);
    }
    wait_until(caller.first_round + caller.pieces);
    caller_ = nullptr;
    ++completed_;
    ++completed_collectives;
    scheduler().yield_if_due();  // the last core to call may not have suspended
  }

  void contribution_arrives(const Contribution& contribution, Core from, const char* values,
                            size_t bytes) {
    size_t branch = 1;
    while (tree_.branches[branch].core != from) ++branch;
    GRAPPA_DCHECK(bytes == bytes_of(contribution, tree_.branches[branch]));
    add(contribution, branch, values);
  }

  void end_round(uint32_t number, const char* values, size_t bytes) {
    // The last branches are the largest, so they take the longest.
    for (size_t k = tree_.branches.size(); --k > 0;) {
      send(tree_.branches[k].core, Result{number}, values, bytes);
    }
    take_result(number, values, bytes);
    round(number).ended = true;
    for (; round(ended_).ended; ++ended_) round(ended_).ended = false;
    Caller& caller = *caller_;
    if (caller.waiting == nullptr || static_cast<int32_t>(ended_ - caller.until) < 0) return;
    scheduler().wake(caller.waiting);
    caller.waiting = nullptr;
  }

  CollectiveStanding standing() const {
    CollectiveStanding standing = {completed_, caller_ != nullptr, {}};
    if (caller_ == nullptr) return standing;
    describe(caller_->call).copy(standing.what, sizeof standing.what - 1);
    return standing;
  }

 private:
  /// The task of this core that is in a collective.
  struct Caller {
    Call call;
    char* data;
    uint32_t first_round;
    uint32_t pieces;
    Worker* waiting;  // until `until` rounds have ended
    uint32_t until;
  };
  struct Round {
    Contribution first;  // the first one that arrived
    Core first_from;
    size_t arrived = 0;
    bool ended = false;        // but an earlier round has not
    std::vector<char> values;  // of the branches, side by side
  };

  Round& round(uint32_t number) { return rounds_[number % kWindow]; }

  /// The number of bytes that a branch contributes to a piece.
  size_t bytes_of(const Contribution& contribution, const CollectiveTree::Branch& branch) const {
    const Piece piece(contribution.call, contribution.piece);
    size_t begin = piece.first, end = piece.end;
    switch (contribution.call.kind->makes) {
      case CollectiveKind::Makes::Combined: break;
      case CollectiveKind::Makes::Picked: {
        const int32_t root = tree_.position_of[contribution.call.root];
        if (root < branch.begin || root >= branch.end) end = begin;
        break;
      }
      case CollectiveKind::Makes::Gathered:
        begin = std::max(begin, static_cast<size_t>(branch.begin));
        end = std::max(begin, std::min(end, static_cast<size_t>(branch.end)));
        break;
    }
    return (end - begin) * contribution.call.kind->element_bytes;
  }

  /// Suspends: until all rounds before `ended` have ended.
  void wait_until(uint32_t ended) {
    if (static_cast<int32_t>(ended_ - ended) >= 0) return;
    caller_->waiting = scheduler().current();
    caller_->until = ended;
    suspend(WaitReason(WaitReason::Kind::Collective, completed_ + 1));
  }

  void contribute(uint32_t piece) {
    const Caller& caller = *caller_;
    size_t element = Piece(caller.call, piece).first;
    if (caller.call.kind->makes == CollectiveKind::Makes::Gathered) {
      element = static_cast<size_t>(mycore());
    }
    const char* values = caller.data + element * caller.call.kind->element_bytes;
    add(Contribution{caller.call, caller.first_round + piece, piece}, 0, values);
  }

  void add(const Contribution& contribution, size_t branch, const char* values) {
    GRAPPA_DCHECK(contribution.round - ended_ < kWindow) << "a core is ahead of the results";
    Round& round = this->round(contribution.round);
    const Core from = tree_.branches[branch].core;
    size_t before = 0, bytes = 0, all = 0;
    if (round.arrived != 0) check_agreement(round, contribution, from);
    for (size_t k = 0; k < tree_.branches.size(); ++k) {
      const size_t its_bytes = bytes_of(contribution, tree_.branches[k]);
      if (k < branch) before += its_bytes;
      if (k == branch) bytes = its_bytes;
      all += its_bytes;
    }
    if (round.arrived == 0) {
      round.first = contribution;
      round.first_from = from;
      round.values.resize(all);
    }
    if (bytes != 0) std::memcpy(round.values.data() + before, values, bytes);
    if (++round.arrived == tree_.branches.size()) pass_on(&round);
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
    if (caller_ == nullptr || round - caller_->first_round < caller_->pieces) return completed_ + 1;
    return completed_ + 2;
  }

  /// Called when the whole branch has contributed.
  void pass_on(Round* round) {
    round->arrived = 0;
    const Call& call = round->first.call;
    char* values = round->values.data();
    size_t bytes = round->values.size();
    if (call.kind->makes == CollectiveKind::Makes::Combined) {
      bytes /= tree_.branches.size();
      for (size_t k = 1; k < tree_.branches.size() && bytes != 0; ++k) {
        call.kind->combine(values, values + k * bytes, bytes / call.kind->element_bytes);
      }
    }
    if (tree_.parent >= 0) {
      send(tree_.parent, round->first, values, bytes);
    } else if (cores() == 1) {
      // A single core suspends, too. Other tasks run, and a second caller is detected.
      send(mycore(), Result{round->first.round}, values, bytes);
    } else {
      end_round(round->first.round, values, bytes);
    }
  }

  void take_result(uint32_t number, const char* values, size_t bytes) {
    GRAPPA_DCHECK(caller_ != nullptr) << "a result of a collective that no task is in";
    const Call& call = caller_->call;
    const Piece piece(call, number - caller_->first_round);
    const size_t each = call.kind->element_bytes;
    if (call.kind->makes != CollectiveKind::Makes::Gathered) {
      if (bytes != 0) std::memcpy(caller_->data + piece.first * each, values, bytes);
      return;
    }
    for (size_t position = piece.first; position < piece.end; ++position) {
      const size_t core = static_cast<size_t>(tree_.core_at[position]);
      std::memcpy(caller_->data + core * each, values + (position - piece.first) * each, each);
    }
  }

  const CollectiveTree tree_ = detail::collective_tree(topology());
  Round rounds_[kWindow];
  uint32_t ended_ = kFirstRound;  // all rounds before this one
  uint64_t completed_ = 0;
  Caller* caller_ = nullptr;
};

Collectives& collectives() {
  static Collectives state;
  return state;
}

void Contribution::operator()(void* payload, size_t bytes) {
  ++contributions;
  const Core from = the_sender;
  collectives().contribution_arrives(*this, from, static_cast<const char*>(payload), bytes);
}

void Result::operator()(void* payload, size_t bytes) {
  ++results;
  collectives().end_round(round, static_cast<const char*>(payload), bytes);
}

constexpr CollectiveKind kBarrier = {"barrier", nullptr, CollectiveKind::Makes::Combined, 0,
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
