#include "structures/global_queue.hpp"

#include <Grappa.hpp>

#include "tests/structures/modes.hpp"
#include "tests/structures/numbers_as_values.hpp"
#include "tests/structures/recorded_history.hpp"

#include <cstdint>
#include <gtest/gtest.h>
#include <string>

namespace linearizability { namespace {

using namespace Grappa;

template <class T>
struct Queue {
  typedef GlobalAddress<GlobalQueue<T>> Address;

  static uint64_t create(int mode) {
    return GlobalQueue<T>::create(0, static_cast<Combining>(mode)).raw_bits();
  }

  static void destroy(uint64_t structure) { Address::from_raw(structure)->destroy(); }

  /// One third of the pushes are async. For an async push, the recorded return is the end of its
  /// scope.
  static void make(uint64_t structure, Operation* operation) {
    const Address queue = Address::from_raw(structure);
    const T value = value_of<T>(operation->value);
    if (operation->kind == Kind::Size) {
      operation->result = queue->size();
    } else if (operation->kind == Kind::TryPop) {
      T popped = T();
      operation->yes = queue->try_pop(&popped);
      if (operation->yes) operation->result = number_of(popped);
    } else if (operation->value % 3 == 0) {
      finish([queue, &value] { queue->template push<async>(value); });
    } else {
      queue->push(value);
    }
  }

  static void check(Combining mode) {
    const Subject subject = {&kQueue, true, create, destroy, make};
    expect_linearizable(subject, static_cast<int>(mode));
  }
};

class GlobalQueueHistories : public EachMode {};

TEST_P(GlobalQueueHistories, AreLinearizable) { Queue<int64_t>::check(GetParam()); }

TEST_P(GlobalQueueHistories, OfStringsAreLinearizable) { Queue<std::string>::check(GetParam()); }

GRAPPA_IN_EACH_MODE(GlobalQueueHistories);

}}  // namespace linearizability
