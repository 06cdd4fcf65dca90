#include "system/parallel/global_completion_event.hpp"

#include "system/base/check.hpp"
#include "system/global/delegate.hpp"
#include "system/message/aggregator.hpp"
#include "system/net/topology.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/tasking/scheduler.hpp"

#include <limits>

namespace Grappa {
namespace {

constexpr Core kHome = 0;

}  // namespace

namespace detail {

GlobalCompletionEvent local_gce;

void InEvent::enter() {
  event_->open_unit();
  scheduler().set_scope(event_);
}

void InEvent::leave() {
  scheduler().set_scope(outer_);
  event_->TaskScope::complete(1);
}

bool DefaultEvent::wanted = false;

void DefaultEvent::enter_main() {
  if (!wanted) return;
  local_gce.be_named();
  scheduler().set_scope(&local_gce);
}

}  // namespace detail

GRAPPA_NOINLINE void GlobalCompletionEvent::take_name() {
  GRAPPA_CHECK(detail::in_job()) << "a global completion event is used outside of a job: use it "
                                    "between Grappa::init and Grappa::finalize";
  GRAPPA_CHECK(detail::at_same_address_everywhere(this))
      << "a global completion event at " << this
      << ", which is not its address on other cores: make it a file-scope object of the program";
  const uint64_t name = detail::symmetric_scope_name(this, kHome);
  if (mycore() == kHome) {
    wire_id = name;
    drained = on_drained;
  } else {
    detail::name_remote_scope(this, name);
  }
}

/// After this call the core is in the tree, and the caller must count work at once.
void GlobalCompletionEvent::bring_in() {
  be_named();
  if (mycore() == kHome || in_tree()) return;
  GlobalCompletionEvent* const event = this;
  delegate::call(kHome, [event] { event->open_unit(); });
  detail::take_unit_of_home(this);
}

void GlobalCompletionEvent::open_unit() {
  bring_in();
  detail::TaskScope::enroll(1);
}

void GlobalCompletionEvent::enroll(int64_t n) {
  GRAPPA_CHECK(n >= 0) << "enroll: invalid count " << n
                       << ", expected 0 or more; complete() decrements";
  if (n == 0) return;
  bring_in();
  GRAPPA_CHECK(n <= std::numeric_limits<int64_t>::max() / 2 - enrolled_)
      << "enroll of " << n << " would overflow the current count " << enrolled_;
  enrolled_ += n;
  detail::TaskScope::enroll(n);
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
  GlobalCompletionEvent* const event = this;
  detail::append<detail::Acknowledged::Never>(core, nullptr, [event, n] { event->complete(n); });
}

void GlobalCompletionEvent::reset() { complete(enrolled_); }

void GlobalCompletionEvent::wait() {
  be_named();
  const bool main_in_default = this == &detail::local_gce && detail::scheduler().current()->role ==
                                                                 detail::Worker::Role::RunsMain;
  GRAPPA_CHECK(this != &detail::local_gce || detail::current_scope() == nullptr ||
               detail::current_scope() == this)
      << "default_gce().wait() inside of a finish or a loop, which waits for the async work of its "
         "body anyway: remove this wait, or wait in the main task, outside of any finish or loop";
  GRAPPA_CHECK(detail::current_scope() != this || main_in_default)
      << "work of a global completion event waits for that event, and so for itself: wait outside "
         "of finish<&event>, of its loops and of its tasks";
  const Waiter self = {mycore(), detail::scheduler().current()};
  if (mycore() == kHome) {
    if (open == 0) return;
    add_waiter(self);
  } else {
    GlobalCompletionEvent* const event = this;
    // Not a delegate, because a delegate would occupy a worker of the home for each waiting task.
    const auto request = [event, self] { event->open == 0 ? wake(self) : event->add_waiter(self); };
    detail::append<detail::Acknowledged::ByAnswer>(kHome, nullptr, request);
    detail::request_appended();
  }
  detail::suspend(detail::WaitReason(detail::WaitReason::Kind::GlobalEvent, this));
}

void GlobalCompletionEvent::add_waiter(Waiter waiter) {
  if (waiters_ == nullptr) waiters_ = new std::vector<Waiter>;  // kept for later rounds
  waiters_->push_back(waiter);
}

/// Wakes a waiting task on any core. Does not switch.
void GlobalCompletionEvent::wake(Waiter waiter) {
  if (waiter.core == mycore()) return detail::scheduler().wake(waiter.worker);
  detail::Worker* const worker = waiter.worker;
  detail::append<detail::Acknowledged::Never, detail::MayWait::Never>(
      waiter.core, nullptr, [worker] { detail::scheduler().wake(worker); });
}

/// Called on the home.
void GlobalCompletionEvent::on_drained(detail::TaskScope* scope) {
  GlobalCompletionEvent* const event = static_cast<GlobalCompletionEvent*>(scope);
  if (event->waiters_ == nullptr) return;
  for (const Waiter& waiter : *event->waiters_) wake(waiter);
  event->waiters_->clear();
}

}  // namespace Grappa
