#include "system/parallel/finish_scope.hpp"

#include "system/base/check.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/append.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/tasking/scheduler.hpp"

#include <memory>
#include <unordered_map>

namespace Grappa::detail {
namespace {

Counter completions("scope.completion_messages", "messages", "that acknowledged executed messages");

// A name: | home, 16 bits | address of the scope, 48 bits |. The lowest bit is set in the names of
// symmetric scopes.
constexpr int kCoreShift = 48;
constexpr uint64_t kSymmetric = 1;
constexpr uint64_t kPointerMask = (uint64_t{1} << kCoreShift) - 1 - kSymmetric;

/// This core's parts of scopes that do not have a part on every core.
typedef std::unordered_map<uint64_t, std::unique_ptr<RemoteScope>> RemoteScopes;

RemoteScopes& remote_scopes() {
  static RemoteScopes scopes;
  return scopes;
}

Core home_of(uint64_t wire_id) { return static_cast<Core>(wire_id >> kCoreShift); }
bool is_symmetric(uint64_t wire_id) { return (wire_id & kSymmetric) != 0; }
TaskScope* at_address(uint64_t wire_id) {
  return reinterpret_cast<TaskScope*>(wire_id & kPointerMask);
}

TaskScope* find(uint64_t wire_id) {
  if (home_of(wire_id) == mycore() || is_symmetric(wire_id)) return at_address(wire_id);
  const auto found = remote_scopes().find(wire_id);
  return found == remote_scopes().end() ? nullptr : found->second.get();
}

void acknowledge(Core sender, uint64_t wire_id, int64_t n) {
  ++completions;
  const auto complete = [wire_id, n] {
    TaskScope* scope = find(wire_id);
    GRAPPA_CHECK(scope != nullptr) << "a completion for a scope that this core has no work in";
    scope->complete(n);
  };
  append<Acknowledged::Never, MayWait::Never>(sender, nullptr, complete);
}

/// If all work of this core has ended: acknowledges its debt and removes the scope.
void pay_if_idle(RemoteScope* scope) {
  if (scope->open != 0 || scope->executing != 0) return;
  const Core parent = scope->parent;
  const uint64_t wire_id = scope->wire_id;
  const int64_t debt = scope->debt;
  scope->debt = 0;
  if (!is_symmetric(wire_id)) remote_scopes().erase(wire_id);
  if (debt > 0) acknowledge(parent, wire_id, debt);
}

void remote_drained(TaskScope* scope) { pay_if_idle(static_cast<RemoteScope*>(scope)); }

RemoteScope* remote_part(uint64_t wire_id) {
  if (is_symmetric(wire_id)) return static_cast<RemoteScope*>(at_address(wire_id));
  std::unique_ptr<RemoteScope>& entry = remote_scopes()[wire_id];
  if (entry == nullptr) entry.reset(new RemoteScope);
  return entry.get();
}

TaskScope* enter(uint64_t wire_id, Core source) {
  if (home_of(wire_id) == mycore()) return at_address(wire_id);
  RemoteScope* scope = remote_part(wire_id);
  if (!scope->in_tree()) {
    name_remote_scope(scope, wire_id);
    scope->parent = source;
  }
  ++scope->executing;
  return scope;
}

void leave(TaskScope* base, Core source, int64_t executed) {
  const bool home = home_of(base->wire_id) == mycore();
  RemoteScope* scope = home ? nullptr : static_cast<RemoteScope*>(base);
  if (executed > 0) {
    if (source == mycore()) {
      base->complete(executed);  // on other cores than the home, `executing` keeps the scope
    } else if (!home && source == scope->parent) {
      scope->debt += executed;
    } else {
      acknowledge(source, base->wire_id, executed);
    }
  }
  if (home) return;
  --scope->executing;
  pay_if_idle(scope);
}

bool answer_leaves_work(TaskScope* base, Core caller) {
  if (home_of(base->wire_id) == mycore()) return false;
  RemoteScope* scope = static_cast<RemoteScope*>(base);
  const bool others = scope->open > 0 || scope->executing > 1;
  if (caller != scope->parent || scope->debt > 0 || !others) return false;
  scope->debt = 1;
  return true;
}

}  // namespace

Core home_of(const TaskScope& scope) { return home_of(scope.wire_id); }

uint64_t symmetric_scope_name(const RemoteScope* part, Core home) {
  const TaskScope* scope = part;
  return static_cast<uint64_t>(home) << kCoreShift | reinterpret_cast<uint64_t>(scope) | kSymmetric;
}

void name_remote_scope(RemoteScope* part, uint64_t name) {
  part->wire_id = name;
  part->drained = remote_drained;
}

void take_unit_of_home(RemoteScope* part) {
  const Core home = home_of(part->wire_id);
  if (!part->in_tree()) part->parent = home;
  if (part->parent == home) {
    ++part->debt;
  } else {
    acknowledge(home, part->wire_id, 1);
  }
}

void install_scope_hooks() {
  scope_hooks().enter = enter;
  scope_hooks().leave = leave;
  scope_hooks().answer_leaves_work = answer_leaves_work;
}

FinishScope::FinishScope() : outer_(current_scope()) {
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << "finish outside of a task: call it inside Grappa::run";
  const TaskScope* scope = this;
  wire_id = static_cast<uint64_t>(mycore()) << kCoreShift |
            (reinterpret_cast<uint64_t>(scope) & kPointerMask);
  drained = on_drained;
  scheduler().set_scope(this);
}

FinishScope::~FinishScope() {
  if (!left_) wait();
}

void FinishScope::wait() {
  GRAPPA_DCHECK(scheduler().scope() == this)
      << "scopes must be left in the order in which they were opened";
  scheduler().set_scope(outer_);
  left_ = true;
  if (open == 0) return;
  waiter_ = scheduler().current();
  suspend(WaitReason(WaitReason::Kind::Scope, this));
}

void FinishScope::on_drained(TaskScope* base) {
  FinishScope* scope = static_cast<FinishScope*>(base);
  if (scope->waiter_ != nullptr) scheduler().wake(scope->waiter_);
}

}  // namespace Grappa::detail
