#pragma once

/// A value with a full/empty bit, for synchronization between the tasks of one core.
///
/// The operations are those of the Tera MTA ("The Tera Computer System", International Conference
/// on Supercomputing, 1990). The last two letters of a name are the state before the operation, for
/// which the operation waits, and the state after it: F is full, E is empty, and X is any state.
///
/// If the cell is not in the required state, an operation joins a FIFO queue. When the state
/// changes, operations at the front of the queue take effect while the first of them matches the
/// state, before any woken task runs. One write therefore serves every readFF before the first
/// readFE, which empties the cell. Invariant: all operations in the queue wait for the same state,
/// and the cell is in the other state. Other cores use global/remote_sync.hpp.

#include "system/tasking/suspend.hpp"

#include <type_traits>
#include <utility>

namespace Grappa {

template <class T>
class FullEmpty {
 public:
  /// Creates an empty cell with the value T(), which readXX can read.
  FullEmpty() : value_() {
    static_assert(std::is_default_constructible<T>::value,
                  "a FullEmpty holds a value even while it is empty, and this type has no default "
                  "constructor: construct the FullEmpty with a value and call reset()");
  }

  /// Creates a full cell.
  explicit FullEmpty(T value) : full_(true), value_(std::move(value)) {}

  /// Waits for a full cell and returns its value. From: task or handler. Suspends: while empty.
  T readFF() { return full_ ? value_ : wait_to_read(Operation::ReadFF); }

  /// Takes the value of a full cell and empties it. From: task or handler. Suspends: while empty.
  T readFE() {
    if (!full_) return wait_to_read(Operation::ReadFE);
    T value(value_);
    become_empty();
    return value;
  }

  /// Returns the last written value, in any state.
  T readXX() const { return value_; }

  /// Waits for an empty cell and fills it. From: task or handler. Suspends: while full.
  void writeEF(T value) {
    if (full_) return wait(Operation::WriteEF, &value);
    value_ = std::move(value);
    become_full();
  }

  /// Waits for a full cell and replaces its value. From: task or handler. Suspends: while empty.
  void writeFF(T value) {
    if (!full_) return wait(Operation::WriteFF, &value);
    value_ = std::move(value);
  }

  /// Writes the value and fills the cell, in any state.
  void writeXF(T value) {
    value_ = std::move(value);
    if (!full_) become_full();
  }

  /// Empties the cell, in any state. readXX still reads the value. A waiting writeEF takes effect.
  void reset() {
    if (full_) become_empty();
  }

  bool full() const { return full_; }
  bool empty() const { return !full_; }

 private:
  static_assert(std::is_copy_constructible<T>::value && std::is_copy_assignable<T>::value,
                "a FullEmpty returns copies of its value, so the type must be copyable");

  enum class Operation { ReadFF, ReadFE, WriteEF, WriteFF };

  struct Waiter : detail::Waiter {
    Operation operation;
    T* value;  // uninitialized storage for the result of a reader, or the value of a writer
  };

  void wait(Operation operation, T* value) {
    typedef detail::WaitReason::Kind Kind;
    Waiter self;
    self.operation = operation;
    self.value = value;
    const Kind kind = operation == Operation::WriteEF ? Kind::Empty : Kind::Full;
    waiters_.suspend(&self, {kind, this});
  }

  T wait_to_read(Operation operation) {
    alignas(T) unsigned char storage[sizeof(T)];
    T* const result = reinterpret_cast<T*>(storage);
    wait(operation, result);
    T value(std::move(*result));
    result->~T();
    return value;
  }

  /// Serves the operations that wait for a full cell, until a readFE empties the cell.
  void become_full() {
    full_ = true;
    while (full_ && !waiters_.empty()) {
      Waiter& waiter = waiters_.front();
      if (waiter.operation == Operation::WriteFF) {
        value_ = std::move(*waiter.value);
      } else {
        new (waiter.value) T(value_);
        full_ = waiter.operation == Operation::ReadFF;
      }
      waiters_.wake_front();
    }
  }

  /// Serves the first waiting writeEF, which fills the cell again.
  void become_empty() {
    full_ = !waiters_.empty();
    if (!full_) return;
    value_ = std::move(*waiters_.front().value);
    waiters_.wake_front();
  }

  // A FullEmpty of one word therefore has 32 bytes, and arrays fit the blocks of the global heap.
  alignas(16) detail::WaitQueue<Waiter> waiters_;
  bool full_ = false;
  T value_;
};

// The same operations as free functions, for a cell and for a pointer to a cell.
#define GRAPPA_CELL_FUNCTION(Cell, name)                                                         \
  template <class T, class... Value>                                                             \
  auto name(Cell& cell, Value&&... value)->decltype(cell.name(std::forward<Value>(value)...)) {  \
    return cell.name(std::forward<Value>(value)...);                                             \
  }                                                                                              \
  template <class T, class... Value>                                                             \
  auto name(Cell* cell, Value&&... value)->decltype(cell->name(std::forward<Value>(value)...)) { \
    return cell->name(std::forward<Value>(value)...);                                            \
  }
GRAPPA_CELL_FUNCTION(FullEmpty<T>, readFF)
GRAPPA_CELL_FUNCTION(FullEmpty<T>, readFE)
GRAPPA_CELL_FUNCTION(const FullEmpty<T>, readXX)
GRAPPA_CELL_FUNCTION(FullEmpty<T>, writeEF)
GRAPPA_CELL_FUNCTION(FullEmpty<T>, writeFF)
GRAPPA_CELL_FUNCTION(FullEmpty<T>, writeXF)
GRAPPA_CELL_FUNCTION(const FullEmpty<T>, full)
GRAPPA_CELL_FUNCTION(const FullEmpty<T>, empty)
GRAPPA_CELL_FUNCTION(FullEmpty<T>, reset)
#undef GRAPPA_CELL_FUNCTION

}  // namespace Grappa
