#include "system/parallel/finish_scope.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"
#include "system/global/delegate.hpp"
#include "system/message/aggregator.hpp"
#include "system/message/append.hpp"
#include "system/net/topology.hpp"
#include "system/observe/counters.hpp"
#include "system/parallel/collective_tree.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/scheduler.hpp"

#include <limits>
#include <unordered_map>

namespace Grappa {
namespace detail {
namespace {

Counter completions("scope.completion_messages", "messages", "that acknowledged executed messages");

// A name is | home, 16 bits | address of the scope, 48 bits |. Events are symmetric scopes: they
// have a part at this address on every core. The lowest bit is set in their names.
constexpr int kCoreShift = 48;
constexpr uint64_t kSymmetric = 1;
constexpr uint64_t kPointerMask = (uint64_t{1} << kCoreShift) - 1 - kSymmetric;

constexpr Core kHome = 0;  // the home of all events

/// The parent of this core in the tree of collectives, which opens units of events for this core.
Core event_parent() {
  static const Core parent = CollectiveTree(topology()).parent;
  return parent;
}

std::unordered_map<uint64_t, RemoteScope> remote_scopes;  // this core's parts, except of events

uint64_t name_of(const TaskScope* scope, Core home) {
  return static_cast<uint64_t>(home) << kCoreShift | reinterpret_cast<uint64_t>(scope);
}
Core home_of(uint64_t wire_id) { return static_cast<Core>(wire_id >> kCoreShift); }
bool is_symmetric(uint64_t wire_id) { return (wire_id & kSymmetric) != 0; }
TaskScope* at_address(uint64_t wire_id) {
  return reinterpret_cast<TaskScope*>(wire_id & kPointerMask);
}

TaskScope* find(uint64_t wire_id) {
  if (home_of(wire_id) == mycore() || is_symmetric(wire_id)) return at_address(wire_id);
  const auto found = remote_scopes.find(wire_id);
  return found == remote_scopes.end() ? nullptr : &found->second;
}

/// W is NeverButDeferrable if the sender probably has other work of the scope.
template <MayWait W>
void acknowledge(Core sender, uint64_t wire_id, int64_t n) {
  ++completions;
  const auto complete = [wire_id, n] {
    TaskScope* scope = find(wire_id);
    GRAPPA_CHECK(scope != nullptr) << "a completion arrived for a scope without work on this core";
    scope->complete(n);
  };
  append<Acknowledged::Never, W>(sender, nullptr, complete);
}

/// If no work of the scope is left on this core, acknowledges the debt and removes the scope.
void pay_if_idle(RemoteScope* scope) {
  if (scope->open != 0 || scope->executing != 0) return;
  const Core parent = scope->parent;
  const uint64_t wire_id = scope->wire_id;
  const int64_t debt = scope->debt;
  scope->debt = 0;
  if (!is_symmetric(wire_id)) remote_scopes.erase(wire_id);
  if (debt > 0) acknowledge<MayWait::Never>(parent, wire_id, debt);
}

/// Makes `part` a part of the scope `wire_id`, on a core that is not its home.
void name_remote_scope(RemoteScope* part, uint64_t wire_id) {
  part->wire_id = wire_id;
  part->drained = [](TaskScope* scope) { pay_if_idle(static_cast<RemoteScope*>(scope)); };
}

TaskScope* enter(uint64_t wire_id, Core source) {
  if (home_of(wire_id) == mycore()) return at_address(wire_id);
  RemoteScope* scope = is_symmetric(wire_id) ? static_cast<RemoteScope*>(at_address(wire_id))
                                             : &remote_scopes[wire_id];
  if (!scope->in_tree()) {
    name_remote_scope(scope, wire_id);
    scope->parent = source;
  }
  ++scope->executing;
  return scope;
}

void leave(TaskScope* base, Core source, int64_t executed) {
  const bool home = home_of(*base) == mycore();
  RemoteScope* scope = home ? nullptr : static_cast<RemoteScope*>(base);
  if (executed > 0) {
    if (source == mycore()) {
      base->complete(executed);  // `executing` keeps a remote scope alive
    } else if (!home && source == scope->parent) {
      scope->debt += executed;
    } else {
      acknowledge<MayWait::NeverButDeferrable>(source, base->wire_id, executed);
    }
  }
  if (home) return;
  --scope->executing;
  pay_if_idle(scope);
}

bool answer_leaves_work(TaskScope* base, Core caller) {
  if (home_of(*base) == mycore()) return false;
  RemoteScope* scope = static_cast<RemoteScope*>(base);
  const bool others = scope->open > 0 || scope->executing > 1;
  if (caller != scope->parent || scope->debt > 0 || !others) return false;
  scope->debt = 1;
  return true;
}

}  // namespace

Core home_of(const TaskScope& scope) { return home_of(scope.wire_id); }

void install_scope_hooks() { scope_hooks() = {enter, leave, answer_leaves_work}; }

FinishScope::FinishScope() : outer_(current_scope()) {
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << "finish outside of a task: call it inside Grappa::run";
  wire_id = name_of(this, mycore());
  drained = [](TaskScope* base) {
    FinishScope* const scope = static_cast<FinishScope*>(base);
    if (scope->waiter_ != nullptr) scheduler().wake(scope->waiter_);
  };
  scheduler().set_scope(this);
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

GlobalCompletionEvent local_gce;
bool DefaultEvent::wanted = false;

void DefaultEvent::enter_main() {
  if (!wanted) return;
  local_gce.be_named();
  scheduler().set_scope(&local_gce);
}

void InEvent::enter() {
  event_->open_units(1);
  scheduler().set_scope(event_);
}

void InEvent::leave() {
  scheduler().set_scope(outer_);
  event_->TaskScope::complete(1);
}

}  // namespace detail

void GlobalCompletionEvent::be_named() {
  if (GRAPPA_LIKELY(wire_id != 0)) return;
  GRAPPA_CHECK(detail::in_job()) << "a global completion event is used outside of a job: use it "
                                    "between Grappa::init and Grappa::finalize";
  GRAPPA_CHECK(detail::at_same_address_everywhere(this))
      << "a global completion event at " << this
      << ", which is not its address on other cores: make it a file-scope object of the program";
  detail::name_remote_scope(this, detail::name_of(this, detail::kHome) | detail::kSymmetric);
  if (mycore() != detail::kHome) return;
  drained = [](detail::TaskScope* scope) {
    GlobalCompletionEvent* const event = static_cast<GlobalCompletionEvent*>(scope);
    if (event->waiting_ != nullptr) event->answer_waiters(&event->waiting_->arrived);
  };
}

void GlobalCompletionEvent::open_units(int64_t n) {
  be_named();
  while (mycore() != detail::kHome && !in_tree()) {
    if (entering_ == nullptr) {
      enter_tree();
    } else {  // another worker asks the core above
      entering_->push_back(detail::scheduler().current());
      detail::suspend(detail::WaitReason(detail::WaitReason::Kind::GlobalEvent, this));
    }
  }
  detail::TaskScope::enroll(n);
}

/// Makes this core a part of the tree of the event. Suspends: until the core above has answered.
void GlobalCompletionEvent::enter_tree() {
  std::vector<detail::Worker*> others;
  entering_ = &others;
  const Core above = detail::event_parent();
  delegate::call(above, [this] { open_units(1); });
  // This core must acknowledge that unit later. If messages of another core have brought this core
  // into the tree during the call, this core acknowledges the unit at once.
  if (!in_tree()) parent = above;
  if (parent == above) {
    ++debt;
  } else {
    detail::acknowledge<detail::MayWait::Never>(above, wire_id, 1);
  }
  entering_ = nullptr;
  for (detail::Worker* const worker : others) detail::scheduler().wake(worker);
}

void GlobalCompletionEvent::enroll(int64_t n) {
  GRAPPA_CHECK(n >= 0) << "enroll: invalid count " << n
                       << ", expected 0 or more; complete() decrements";
  if (n == 0) return;
  GRAPPA_CHECK(n <= std::numeric_limits<int64_t>::max() / 2 - enrolled_)
      << "enroll of " << n << " would overflow the current count " << enrolled_;
  open_units(n);
  enrolled_ += n;
}

void GlobalCompletionEvent::complete(int64_t n) {
  GRAPPA_CHECK(n >= 0) << "complete: invalid count " << n
                       << ", expected 0 or more; enroll() increments";
  GRAPPA_CHECK(n <= enrolled_)
      << "a global completion event was completed more often on core " << mycore()
      << " than enrolled there: by " << n << " with " << enrolled_
      << " enrolled; send_completion(core) completes what that core has enrolled";
  if (n == 0) return;
  enrolled_ -= n;
  detail::TaskScope::complete(n);
}

void GlobalCompletionEvent::send_completion(int64_t core, int64_t n) {
  if (core == mycore()) return complete(n);
  detail::append<detail::Acknowledged::Never>(core, nullptr, [this, n] { complete(n); });
}

void GlobalCompletionEvent::wait() {
  be_named();
  const TaskScope* const scope = detail::current_scope();
  const Waiter self = {mycore(), detail::scheduler().current()};
  const bool is_default = this == &detail::local_gce;
  GRAPPA_CHECK(!is_default || scope == nullptr || scope == this)
      << "default_gce().wait() inside of a finish or a loop, which waits for the async work of its "
         "body anyway: remove this wait, or wait in the main task, outside of any finish or loop";
  GRAPPA_CHECK(scope != this || (is_default && self.worker->role == detail::Worker::Role::RunsMain))
      << "work of a global completion event waits for that event, and so for itself: wait outside "
         "of finish<&event>, of its loops and of its tasks";
  if (mycore() == detail::kHome && open == 0) return;
  add_waiter(self);
  detail::request_appended();
  detail::suspend(detail::WaitReason(detail::WaitReason::Kind::GlobalEvent, this));
}

/// Answers a task of this core, or a core below this one, as soon as the home has no open work.
/// Only requests that have arrived before this core asks the core above get its answer, because the
/// event may already be complete when the answer is on its way.
void GlobalCompletionEvent::add_waiter(Waiter waiter) {
  if (mycore() == detail::kHome && open == 0) return answer(waiter);
  if (waiting_ == nullptr) waiting_ = new Waiting;  // kept
  waiting_->arrived.push_back(waiter);
  if (mycore() != detail::kHome && waiting_->asked.empty()) ask_above();
}

void GlobalCompletionEvent::ask_above() {
  waiting_->asked.swap(waiting_->arrived);
  // A delegate would occupy a worker of the core above while it waits.
  const Waiter self = {mycore(), nullptr};
  detail::append<detail::Acknowledged::Never, detail::MayWait::Never>(detail::event_parent(),
                                                                      nullptr, [this, self] {
                                                                        be_named();
                                                                        add_waiter(self);
                                                                      });
}

void GlobalCompletionEvent::answer(Waiter waiter) {
  if (waiter.worker != nullptr) return detail::scheduler().wake(waiter.worker);
  detail::append<detail::Acknowledged::Never, detail::MayWait::Never>(waiter.core, nullptr, [this] {
    answer_waiters(&waiting_->asked);
    if (!waiting_->arrived.empty()) ask_above();
  });
}

void GlobalCompletionEvent::answer_waiters(std::vector<Waiter>* waiters) {
  for (const Waiter& waiter : *waiters) answer(waiter);
  waiters->clear();
}

}  // namespace Grappa
