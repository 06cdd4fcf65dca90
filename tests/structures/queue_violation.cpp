#include "tests/structures/linearizable.hpp"

#include <algorithm>
#include <map>

namespace linearizability {
namespace {

struct Value {
  const Operation* push = nullptr;
  const Operation* pop = nullptr;  // null: the value stays in the queue

  uint64_t leaves() const { return pop == nullptr ? UINT64_MAX : pop->invoked; }
};

bool precedes(const Operation& a, const Operation& b) { return a.returned < b.invoked; }

/// True if at each instant of the pop, some value is certainly in the queue: its push has returned,
/// and its pop has not been called.
bool never_empty(const Operation& pop, const std::map<int64_t, Value>& values) {
  uint64_t covered = pop.invoked;  // at each instant of the pop before this time
  for (;;) {
    uint64_t end = covered;
    for (const auto& each : values) {
      if (each.second.push->returned < covered) end = std::max(end, each.second.leaves());
    }
    if (end > pop.returned) return true;
    if (end == covered) return false;
    covered = end;
  }
}

}  // namespace

std::string queue_violation(const History& history) {
  std::map<int64_t, Value> values;
  for (const Operation& each : history) {
    if (each.kind == Kind::Push) values[each.value].push = &each;
  }
  for (const Operation& each : history) {
    if (each.kind != Kind::TryPop || !each.yes) continue;
    Value& value = values[each.result];
    if (value.push == nullptr) return to_text(each) + ": the value was not pushed";
    if (value.pop != nullptr) return to_text(each) + ": the value was popped twice";
    if (precedes(each, *value.push)) return to_text(each) + " returned before the push";
    value.pop = &each;
  }
  for (const auto& a : values) {
    for (const auto& b : values) {
      if (b.second.pop == nullptr || !precedes(*a.second.push, *b.second.push)) continue;
      if (a.second.pop == nullptr || precedes(*b.second.pop, *a.second.pop)) {
        return to_text(*b.second.pop) + " overtook the earlier " + to_text(*a.second.push);
      }
    }
  }
  for (const Operation& each : history) {
    const bool failed = each.kind == Kind::TryPop && !each.yes;
    if (failed && never_empty(each, values)) return to_text(each) + ", but it was never empty";
  }
  return "";
}

}  // namespace linearizability
