#include "system/parallel/finish_scope.hpp"

#include "system/base/check.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/scope_hooks.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"

#include <memory>
#include <unordered_map>

namespace Grappa {
namespace {

Counter completions("scope.completion_messages", "messages", "that acknowledged executed messages");

constexpr int kCoreShift = 48;
constexpr uint64_t kPointerMask = (uint64_t{1} << kCoreShift) - 1;

/// A scope on a core that is not its home, from the message that brings work of it until all of
/// that has ended. The core owes acknowledgements to `parent`, the sender of that first message,
/// and pays them in the end; all other senders are acknowledged as soon as their messages have been
/// executed. Invariant: `debt` is above zero, or a message of the parent is executing here: until
/// the work has ended, the parent has open work too, and so on up to the home.
struct RemoteScope : TaskScope {
  Core parent = 0;
  int64_t debt = 0;       // acknowledgements owed to the parent
  int64_t executing = 0;  // runs of the scope that workers of this core are in
};

typedef std::unordered_map<uint64_t, std::unique_ptr<RemoteScope>> RemoteScopes;

RemoteScopes& remote_scopes() {
  static RemoteScopes scopes;
  return scopes;
}

Core home_of(uint64_t wire_id) { return static_cast<Core>(wire_id >> kCoreShift); }

TaskScope* find(uint64_t wire_id) {
  if (home_of(wire_id) == mycore()) return reinterpret_cast<FinishScope*>(wire_id & kPointerMask);
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
  aggregator().append<Acknowledged::Never, MayWait::Never>(sender, nullptr, complete);
}

/// If all work of this core has ended: pay what it owes, and forget the scope.
void pay_if_idle(RemoteScope* scope) {
  if (scope->open != 0 || scope->executing != 0) return;
  const Core parent = scope->parent;
  const uint64_t wire_id = scope->wire_id;
  const int64_t debt = scope->debt;
  remote_scopes().erase(wire_id);
  if (debt > 0) acknowledge(parent, wire_id, debt);
}

void remote_drained(TaskScope* scope) { pay_if_idle(static_cast<RemoteScope*>(scope)); }

TaskScope* enter(uint64_t wire_id, Core source) {
  if (home_of(wire_id) == mycore()) return find(wire_id);
  std::unique_ptr<RemoteScope>& entry = remote_scopes()[wire_id];
  if (entry == nullptr) {
    entry.reset(new RemoteScope);
    entry->wire_id = wire_id;
    entry->drained = remote_drained;
    entry->parent = source;
  }
  ++entry->executing;
  return entry.get();
}

void leave(TaskScope* base, Core source, int64_t executed) {
  const bool home = home_of(base->wire_id) == mycore();
  RemoteScope* scope = home ? nullptr : static_cast<RemoteScope*>(base);
  if (executed > 0) {
    if (source == mycore()) {
      base->complete(executed);  // elsewhere than at home, `executing` keeps the scope
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

FinishScope::FinishScope() : outer_(current_scope()) {
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << "finish outside of a task: call it inside Grappa::run";
  wire_id = static_cast<uint64_t>(mycore()) << kCoreShift |
            (reinterpret_cast<uint64_t>(this) & kPointerMask);
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
  scheduler().suspend(WaitReason(WaitReason::Kind::Scope, this));
}

void FinishScope::on_drained(TaskScope* base) {
  FinishScope* scope = static_cast<FinishScope*>(base);
  if (scope->waiter_ != nullptr) scheduler().wake(scope->waiter_);
}

namespace detail {

void install_scope_hooks() {
  scope_hooks().enter = enter;
  scope_hooks().leave = leave;
  scope_hooks().answer_leaves_work = answer_leaves_work;
}

}  // namespace detail
}  // namespace Grappa
