/// The checker accepts a small flat-combined stack, and rejects the same stack with one fault.

#include "structures/flat_combiner.hpp"

#include <Grappa.hpp>

#include "tests/structures/recorded_history.hpp"

#include <gtest/gtest.h>
#include <vector>

namespace linearizability { namespace {

using namespace Grappa;

enum class Fault {
  None,
  OldCombiner,     // pops take values whose commit has started
  BatchesOverlap,  // commits read and increment the top without the lock
  WakesEarly       // pushes are woken before the values are in the stack
};

class SmallStack;

class SmallStackProxy : public FCProxy {
 public:
  explicit SmallStackProxy(SmallStack* stack) : stack_(stack) {}

  void push(int64_t value);
  bool try_pop(int64_t* value);
  bool take_pushed(int64_t* value);
  void sync() override;

 private:
  void commit_pops();

  SmallStack* const stack_;
  std::vector<int64_t> pushed_;
  std::vector<int64_t*> values_;
  std::vector<bool*> found_;
};

/// A symmetric object as in Figure 5 of the paper: `this` is the same on all cores. Core 0 is the
/// master.
class SmallStack {
 public:
  explicit SmallStack(Fault fault) : fault_(fault), combiner_(this) {}

  void push(int64_t value) { combiner_->push(value); }

  bool try_pop(int64_t* value) {
    if (fault_ == Fault::OldCombiner && committing_ != nullptr && committing_->take_pushed(value)) {
      return true;
    }
    return combiner_->try_pop(value);
  }

  int64_t size() {
    return delegate::call(0, [this] { return top_; });
  }

 private:
  friend class SmallStackProxy;

  static constexpr int64_t kCapacity = 256;

  int64_t lock_and_read_top() {
    return delegate::call(0, [this] {
      if (fault_ != Fault::BatchesOverlap) lock_.lock();
      return top_;
    });
  }

  void set_top_and_unlock(int64_t top) {
    delegate::call(0, [this, top] {
      top_ = top;
      if (fault_ != Fault::BatchesOverlap) lock_.unlock();
    });
  }

  /// Until the top is set, other tasks may remove values from `pushed`.
  void commit_pushes(const std::vector<int64_t>& pushed) {
    const int64_t top = lock_and_read_top();
    for (size_t k = 0; k < pushed.size(); ++k) {
      const int64_t place = top + static_cast<int64_t>(k);
      const int64_t value = pushed[k];
      delegate::call(0, [this, place, value] { elements_[place] = value; });
    }
    set_top_and_unlock(top + static_cast<int64_t>(pushed.size()));
  }

  const Fault fault_;
  FlatCombiner<SmallStackProxy> combiner_;
  SmallStackProxy* committing_ = nullptr;

  // Only the instances of the master are used.
  Mutex lock_;
  int64_t top_ = 0;
  int64_t elements_[kCapacity] = {};
};

void SmallStackProxy::push(int64_t value) {
  if (found_.empty()) {
    pushed_.push_back(value);
    return wait();
  }
  *values_.back() = value;
  *found_.back() = true;
  values_.pop_back();
  found_.pop_back();
  wake_last();
}

bool SmallStackProxy::try_pop(int64_t* value) {
  if (take_pushed(value)) {
    wake_last();
    return true;
  }
  bool found = false;
  values_.push_back(value);
  found_.push_back(&found);
  wait();
  return found;
}

bool SmallStackProxy::take_pushed(int64_t* value) {
  if (pushed_.empty()) return false;
  *value = pushed_.back();
  pushed_.pop_back();
  return true;
}

void SmallStackProxy::sync() {
  if (!found_.empty()) return commit_pops();
  SmallStack* const stack = stack_;
  if (stack->fault_ == Fault::WakesEarly) {
    const auto* copy = new std::vector<int64_t>(pushed_);
    return spawn([stack, copy] {
      stack->commit_pushes(*copy);
      delete copy;
    });
  }
  stack->committing_ = this;
  stack->commit_pushes(pushed_);
  stack->committing_ = nullptr;
}

void SmallStackProxy::commit_pops() {
  SmallStack* const stack = stack_;
  int64_t top = stack->lock_and_read_top();
  for (size_t k = 0; k < values_.size() && top > 0; ++k) {
    const int64_t place = --top;
    *values_[k] = delegate::call(0, [stack, place] { return stack->elements_[place]; });
    *found_[k] = true;
  }
  stack->set_top_and_unlock(top);
}

typedef GlobalAddress<SmallStack> Address;

uint64_t create(int fault) { return symmetric<SmallStack>(static_cast<Fault>(fault)).raw_bits(); }

void destroy(uint64_t structure) { global_free(Address::from_raw(structure)); }

void make(uint64_t structure, Operation* operation) {
  const Address stack = Address::from_raw(structure);
  if (operation->kind == Kind::Size) {
    operation->result = stack->size();
  } else if (operation->kind == Kind::TryPop) {
    operation->yes = stack->try_pop(&operation->result);
  } else {
    stack->push(operation->value);
  }
}

const Subject kSmallStack = {&kStack, true, create, destroy, make};

TEST(StackMutants, AreAcceptedWithoutAFault) {
  expect_linearizable(kSmallStack, static_cast<int>(Fault::None));
}

TEST(StackMutants, AreRejectedIfPopsAreAnsweredFromTheOldCombiner) {
  expect_rejected(kSmallStack, static_cast<int>(Fault::OldCombiner));
}

TEST(StackMutants, AreRejectedIfABatchIsNotContiguous) {
  expect_rejected(kSmallStack, static_cast<int>(Fault::BatchesOverlap));
}

TEST(StackMutants, AreRejectedIfPushesAreWokenBeforeTheCommit) {
  expect_rejected(kSmallStack, static_cast<int>(Fault::WakesEarly));
}

}}  // namespace linearizability
