#include "tests/structures/linearizable.hpp"

#include "tests/harness/random.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace linearizability {
namespace {

bool apply_to_stack(const Operation& operation, State* state) {
  switch (operation.kind) {
    case Kind::Push: state->push_back(operation.value); return true;
    case Kind::TryPop:
      if (!operation.yes) return state->empty();
      if (state->empty() || state->back() != operation.result) return false;
      state->pop_back();
      return true;
    case Kind::Size: return operation.result == static_cast<int64_t>(state->size());
    default: return false;
  }
}

bool apply_to_queue(const Operation& operation, State* state) {
  if (operation.kind != Kind::TryPop || !operation.yes) return apply_to_stack(operation, state);
  if (state->empty() || state->front() != operation.result) return false;
  state->erase(state->begin());
  return true;
}

/// The position of the key in the state. If the key is absent, the position at which to insert it.
State::iterator place_of(int64_t key, State* state) {
  auto place = state->begin();
  while (place != state->end() && *place < key) place += 2;
  return place;
}

/// Sets the value of a key at this position. If the key is absent (`in` is false), inserts the key.
void put(State::iterator place, bool in, int64_t key, int64_t value, State* state) {
  if (in) {
    place[1] = value;
  } else {
    state->insert(place, {key, value});
  }
}

bool apply_to_map(const Operation& operation, State* state) {
  const State::iterator place = place_of(operation.key, state);
  const bool in = place != state->end() && *place == operation.key;
  const int64_t old = in ? place[1] : 0;
  switch (operation.kind) {
    case Kind::Size: return operation.result == static_cast<int64_t>(state->size() / 2);
    case Kind::Lookup: return operation.yes == in && (!in || operation.result == old);
    case Kind::Insert:
      put(place, in, operation.key, operation.value, state);
      return operation.discarded || operation.yes == !in;
    case Kind::Combine:
      put(place, in, operation.key, old + operation.value, state);
      return operation.discarded || operation.yes == !in;
    case Kind::Update:
      put(place, in, operation.key, operation.value, state);
      return operation.discarded || operation.result == old;
    case Kind::Visit:
      if (in) place[1] = old + operation.value;
      return operation.discarded || operation.yes == in;
    case Kind::Contains: return operation.yes == in;
    case Kind::Erase:
      if (in) state->erase(place, place + 2);
      return operation.yes == in;
    default: return false;
  }
}

/// A set stores keys only.
bool apply_to_set(const Operation& operation, State* state) {
  Operation of_key = operation;
  of_key.value = of_key.result = operation.kind == Kind::Size ? operation.result : 0;
  return apply_to_map(of_key, state);
}

/// True if an operation of this kind with this result never changes the state.
bool only_looks(const Operation& operation) {
  switch (operation.kind) {
    case Kind::Size:
    case Kind::Lookup:
    case Kind::Contains: return true;
    case Kind::TryPop:
    case Kind::Visit:
    case Kind::Erase: return !operation.yes && !operation.discarded;
    default: return false;
  }
}

/// A set of linearized operations and the resulting state.
struct Configuration {
  std::vector<uint64_t> done;  // a bit for each operation
  State state;

  bool is_done(size_t k) const { return (done[k / 64] >> k % 64 & 1) != 0; }
  void set_done(size_t k) { done[k / 64] |= uint64_t{1} << k % 64; }
  bool operator==(const Configuration& other) const {
    return done == other.done && state == other.state;
  }
};

struct HashOfConfiguration {
  size_t operator()(const Configuration& configuration) const {
    uint64_t hash = configuration.done.size();
    for (const uint64_t word : configuration.done) hash = mix(hash ^ word);
    for (const int64_t word : configuration.state) hash = mix(hash ^ static_cast<uint64_t>(word));
    return hash;
  }
  static uint64_t mix(uint64_t word) {
    word *= 0x9e3779b97f4a7c15;  // Knuth's multiplicative hashing with the golden ratio
    return word ^ word >> 32;
  }
};

constexpr size_t kNone = SIZE_MAX;

/// Replaces each value that is never popped, because these values need not be distinguished.
constexpr int64_t kStays = INT64_MIN;

/// Finds the pop that belongs to each push. This is possible only for a stack or queue in which no
/// value is pushed or popped twice. For all other histories, known() is false.
class Pairs {
 public:
  Pairs(const Specification& specification, const History& history)
      : newest_(specification.newest), history_(history), known_(!specification.keyed) {
    std::set<int64_t> pushed;
    for (size_t k = 0; k < history.size() && known_; ++k) {
      const Operation& each = history[k];
      if (each.kind == Kind::Push) known_ = pushed.insert(each.value).second;
      if (each.kind == Kind::TryPop && each.yes) known_ = pops_.emplace(each.result, k).second;
    }
  }

  bool known() const { return known_; }

  /// The operation that pops the value, or kNone if the value is never popped.
  size_t pop_of(int64_t value) const {
    const auto found = pops_.find(value);
    return found == pops_.end() ? kNone : found->second;
  }

  /// False if the last pushed value and another value cannot be popped in the required order.
  bool can_come_out(const State& state) const {
    const size_t last = pop_of(state.back());
    for (size_t k = 0; k + 1 < state.size(); ++k) {
      const size_t other = pop_of(state[k]);
      const size_t first = newest_ ? last : other;
      const size_t second = newest_ ? other : last;
      if (second == kNone) continue;
      if (first == kNone || history_[second].returned < history_[first].invoked) return false;
    }
    return true;
  }

  /// True if the value, pushed now, could be popped immediately.
  bool is_next(const State& before) const { return newest_ || before.empty(); }

 private:
  const bool newest_;
  const History& history_;
  bool known_;
  std::unordered_map<int64_t, size_t> pops_;
};

class Search {
 public:
  /// The history must be sorted by `invoked`. If `guess` is 0, the search first tries the
  /// operations that return first. Otherwise each operation has a random instant between its call
  /// and its return, and the search first tries the operations with the earliest instants.
  Search(const Specification& specification, const History& history, uint64_t guess)
      : apply_(specification.apply), history_(history), pairs_(specification, history) {
    Grappa::SplitMix64 random(guess);
    for (const Operation& each : history) {
      const int64_t length = static_cast<int64_t>(each.returned - each.invoked);
      const int64_t before = guess == 0 ? length : random.below(length + 1);
      instants_.push_back(each.invoked + static_cast<uint64_t>(before));
    }
  }

  /// Returns true if the search found an order. If the result is false and given_up() is true, the
  /// search stopped after `most` configurations, and an order may exist.
  bool succeeds(size_t most) {
    most_ = most;
    Configuration start;
    start.done.resize(history_.size() / 64 + 1);
    return extend(*seen_.insert(start).first);
  }
  bool given_up() const { return seen_.size() >= most_; }

  size_t configurations() const { return seen_.size(); }
  const std::vector<size_t>& longest() const { return longest_; }

 private:
  /// Returns the operations that may be next in the order: the operations that were called before
  /// any remaining operation returned. The most likely operations come first.
  std::vector<size_t> candidates(const Configuration& at) const {
    std::vector<size_t> next;
    uint64_t first_return = UINT64_MAX;
    for (size_t k = 0; k < history_.size() && history_[k].invoked <= first_return; ++k) {
      if (at.is_done(k)) continue;
      next.push_back(k);
      first_return = std::min(first_return, history_[k].returned);
    }
    std::stable_sort(next.begin(), next.end(),
                     [this](size_t a, size_t b) { return instants_[a] < instants_[b]; });
    return next;
  }

  /// True if a pending size() may take effect before this operation, which changes the size.
  bool may_be_counted(size_t k, const Configuration& at) const {
    for (size_t other = 0; other < history_.size(); ++other) {
      if (history_[other].invoked > history_[k].returned) return false;
      if (history_[other].kind == Kind::Size && !at.is_done(other)) return true;
    }
    return false;
  }

  /// `k` is one of the operations that may be next. The result is true if no other operation needs
  /// to be tried: if any order exists, then an order in which `k` is next exists. There are three
  /// cases:
  /// - `k` changes nothing. Then the other results do not depend on the position of `k`.
  /// - `k` pops the next value. Operations that could precede `k` do not depend on this value.
  /// - `k` pushes a value that is popped immediately. Then the push and the pop together change
  ///   nothing.
  bool comes_first(size_t k, const Configuration& at, const std::vector<size_t>& next) const {
    const Operation& operation = history_[k];
    if (only_looks(operation)) return true;
    if (!pairs_.known()) return false;
    if (operation.kind == Kind::TryPop) return !may_be_counted(k, at);
    if (!pairs_.is_next(at.state)) return false;
    const size_t pop = pairs_.pop_of(operation.value);
    const bool at_once = std::find(next.begin(), next.end(), pop) != next.end();
    return at_once && !may_be_counted(pop, at);
  }

  /// Remembers the longest order for the report.
  void note() {
    if (order_.size() > longest_.size()) longest_ = order_;
  }

  bool extend(const Configuration& from) {
    note();
    if (order_.size() == history_.size()) return true;
    std::vector<std::pair<size_t, Configuration>> steps;
    const std::vector<size_t> next = candidates(from);
    for (const size_t k : next) {
      Configuration to = from;
      if (!apply_(history_[k], &to.state)) continue;
      if (history_[k].kind == Kind::Push && pairs_.known()) {
        if (!pairs_.can_come_out(to.state)) {
          order_.push_back(k);
          note();
          order_.pop_back();
          continue;
        }
        if (pairs_.pop_of(to.state.back()) == kNone) to.state.back() = kStays;
      }
      to.set_done(k);
      if (comes_first(k, from, next)) return step(k, to);
      steps.emplace_back(k, std::move(to));
    }
    for (const auto& each : steps) {
      if (given_up()) return false;
      if (step(each.first, each.second)) return true;
    }
    return false;
  }

  bool step(size_t k, const Configuration& to) {
    const auto inserted = seen_.insert(to);
    if (!inserted.second) return false;
    order_.push_back(k);
    const bool found = extend(*inserted.first);  // inserts do not invalidate references
    order_.pop_back();
    return found;
  }

  bool (*const apply_)(const Operation&, State*);
  const History& history_;
  const Pairs pairs_;
  std::vector<uint64_t> instants_;  // guessed instants of the operations
  size_t most_ = 0;
  std::unordered_set<Configuration, HashOfConfiguration> seen_;
  std::vector<size_t> order_;  // the operations that have been linearized
  std::vector<size_t> longest_;
};

std::string line(const char* number, const Operation& operation, uint64_t start) {
  char text[96];
  std::snprintf(text, sizeof text, "%4s  core %d task %-3d %9.3f %9.3f  ", number, operation.core,
                operation.task, static_cast<double>(operation.invoked - start) * 1e-3,
                static_cast<double>(operation.returned - start) * 1e-3);
  return text + to_text(operation) + "\n";
}

std::string report(const Specification& specification, const History& history,
                   const Search& search) {
  std::vector<std::string> numbers(history.size(), "-");
  State state;
  for (size_t k = 0; k < search.longest().size(); ++k) {
    specification.apply(history[search.longest()[k]], &state);
    numbers[search.longest()[k]] = std::to_string(k + 1);
  }
  std::string text = std::string("this history of a ") + specification.name +
                     (search.given_up() ? ": no order was found" : " is not linearizable") +
                     "; a longest prefix of an order is numbered, and its final state is [";
  for (const int64_t word : state) text += " " + std::to_string(word);
  text += " ]\n   #               called  returned (us)\n";
  for (size_t k = 0; k < history.size(); ++k) {
    text += line(numbers[k].c_str(), history[k], history[0].invoked);
  }
  return text;
}

Verdict check_whole(const Specification& specification, const History& history,
                    const Effort& effort) {
  size_t configurations = 0;
  for (uint64_t guess = 0;; ++guess) {
    const bool last = guess == effort.guesses;
    Search search(specification, history, guess);
    const bool found = search.succeeds(last ? effort.most_of_the_last : effort.most_of_a_guess);
    configurations += search.configurations();
    if (found) return {true, configurations, ""};
    if (last || !search.given_up()) {
      return {false, configurations, report(specification, history, search)};
    }
  }
}

std::vector<History> parts(const Specification& specification, const History& history) {
  const auto asks_size = [](const Operation& each) { return each.kind == Kind::Size; };
  if (!specification.keyed || std::any_of(history.begin(), history.end(), asks_size)) {
    return {history};
  }
  std::map<int64_t, History> by_key;
  for (const Operation& each : history) by_key[each.key].push_back(each);
  std::vector<History> all;
  for (auto& each : by_key) all.push_back(std::move(each.second));
  return all;
}

std::string call_text(const Operation& operation) {
  const std::string key = std::to_string(operation.key);
  const std::string value = std::to_string(operation.value);
  switch (operation.kind) {
    case Kind::Push: return "push(" + value + ")";
    case Kind::TryPop: return "try_pop()";
    case Kind::Size: return "size()";
    case Kind::Insert: return "insert(" + key + ", " + value + ")";
    case Kind::Combine: return "combine(" + key + ", " + value + ")";
    case Kind::Lookup: return "lookup(" + key + ")";
    case Kind::Update: return "update(" + key + ", " + value + ")";
    case Kind::Visit: return "visit(" + key + ", " + value + ")";
    case Kind::Contains: return "contains(" + key + ")";
    case Kind::Erase: return "erase(" + key + ")";
  }
  return "?";
}

}  // namespace

const Specification kStack = {"stack", apply_to_stack, false, true};
const Specification kQueue = {"queue", apply_to_queue, false, false};
const Specification kSet = {"set", apply_to_set, true, false};
const Specification kMap = {"map", apply_to_map, true, false};

Verdict check(const Specification& specification, History history, const Effort& effort) {
  std::stable_sort(history.begin(), history.end(),
                   [](const Operation& a, const Operation& b) { return a.invoked < b.invoked; });
  Verdict verdict = {true, 0, ""};
  for (const History& part : parts(specification, history)) {
    const Verdict of_part = check_whole(specification, part, effort);
    verdict.configurations += of_part.configurations;
    verdict.report += of_part.report;
    verdict.linearizable = verdict.linearizable && of_part.linearizable;
  }
  return verdict;
}

std::string to_text(const Operation& operation) {
  const std::string call = call_text(operation);
  if (operation.discarded) return call + " async";
  const std::string result = std::to_string(operation.result);
  switch (operation.kind) {
    case Kind::Push: return call;
    case Kind::Size: return call + " = " + result;
    case Kind::Insert:
    case Kind::Combine: return call + (operation.yes ? " = new" : " = existed");
    case Kind::TryPop: return call + " = " + (operation.yes ? result : "nothing");
    case Kind::Update: return call + " = " + (operation.result != 0 ? result : "not found");
    case Kind::Lookup: return call + " = " + (operation.yes ? result : "not found");
    case Kind::Visit:
    case Kind::Erase: return call + (operation.yes ? " = done" : " = not found");
    case Kind::Contains: return call + (operation.yes ? " = found" : " = not found");
  }
  return call;
}

}  // namespace linearizability
