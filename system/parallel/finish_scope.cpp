#include "system/parallel/finish_scope.hpp"

#include "system/base/check.hpp"
#include "system/parallel/scope_tree.hpp"
#include "system/tasking/scheduler.hpp"

namespace Grappa {
namespace detail {

FinishScope::FinishScope() : outer_(current_scope()) {
  GRAPPA_CHECK(scheduler().current() != nullptr)
      << "finish outside of a task: call it inside Grappa::run";
  wire_id = detail::scope_name(this);
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

}  // namespace detail
}  // namespace Grappa
