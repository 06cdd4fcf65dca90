///
/// Many operations neither lose nor duplicate values, and a queue keeps the order of the values of
/// each producer. --operations is two million by default and ten million in the job with the label
/// `stress`.
///
/// Tasks count and hash the values that they push and pop, and add up the hashes. Two different
/// multisets have equal sums only with a probability of 2^-64 (D. Clarke et al., "Incremental
/// multiset hash functions and their application to memory integrity checking", ASIACRYPT 2003).

#include "structures/global_queue.hpp"
#include "structures/global_stack.hpp"

#include <Grappa.hpp>
#include <gtest/gtest.h>
#include <string>
#include <vector>

DEFINE_int64(operations, 2000000, "operations of all cores together, if combined on each core");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

constexpr int64_t kTasksPerCore = 512;

uint64_t mixed(uint64_t x) {  // the finaliser of SplitMix64
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

struct Value {
  int64_t producer;
  int64_t number;
  explicit Value(int64_t its_producer = 0, int64_t its_number = 0)
      : producer(its_producer), number(its_number) {}
  uint64_t hash() const {
    return mixed(mixed(static_cast<uint64_t>(producer) + 1) + static_cast<uint64_t>(number));
  }
};

/// A value that is an object of 16 to 315 bytes in the queue.
struct LongValue : Value {
  explicit LongValue(int64_t its_producer = 0, int64_t its_number = 0)
      : Value(its_producer, its_number), text(hash() % 300, static_cast<char>(its_number)) {}
  std::string text;
};

}  // namespace

template <>
struct Grappa::Serialize<LongValue> {
  static size_t size(const LongValue& value) {
    return serialized_size(value.producer, value.number) + value.text.size();
  }
  static void write(Writer* to, const LongValue& value) {
    to->values(value.producer, value.number);
    to->bytes(value.text.data(), value.text.size());
  }
  /// Checks that the text is that of the numbers.
  static LongValue read(Reader* from) {
    int64_t producer, number;
    from->values(&producer, &number);
    const LongValue value(producer, number);
    EXPECT_EQ(value.text.size(), from->left());
    const size_t bytes = from->left();
    EXPECT_TRUE(View<char>(value.text) == View<char>(from->bytes(bytes), bytes));
    return value;
  }
};

namespace {

/// The pushes of one core minus the pops of this core.
struct Inside {
  int64_t count = 0;
  uint64_t hashes = 0;
  int64_t popped = 0;
  void push(const Value& value) {
    ++count;
    hashes += value.hash();
  }
  void pop(const Value& value) {
    --count;
    ++popped;
    hashes -= value.hash();
  }
};

/// Checks that one consumer receives the numbers of each producer in ascending order.
class Order {
 public:
  explicit Order(bool kept) : last_(static_cast<size_t>(kept ? kTasksPerCore * cores() : 0), -1) {}

  void expect_next(const Value& value) {
    if (last_.empty()) return;
    int32_t& last = last_[static_cast<size_t>(value.producer)];
    EXPECT_LT(last, value.number) << "producer " << value.producer;
    last = static_cast<int32_t>(value.number);
  }

 private:
  std::vector<int32_t> last_;  // by producer
};

/// Starts tasks on each core that push and pop at random. If `one_core` is given, only this core
/// runs tasks.
template <template <class> class Structure, class V>
void hammer(Combining mode, int64_t operations, bool keeps_order, Core one_core = -1) {
  const auto structure = Structure<V>::create(0, mode);
  const auto inside = symmetric<Inside>();
  const int64_t busy = one_core < 0 ? cores() : 1;
  const int64_t each = operations / (kTasksPerCore * busy);
  on_all_cores([structure, inside, each, keeps_order, one_core] {
    if (one_core >= 0 && one_core != mycore()) return;
    forall_here<1>(0, kTasksPerCore, [=](int64_t task) {
      const int64_t producer = mycore() * kTasksPerCore + task;
      Order order(keeps_order);
      uint64_t draw = static_cast<uint64_t>(producer) + 1;
      for (int64_t i = 0; i < each; ++i) {
        draw = mixed(draw + 0x9e3779b97f4a7c15u);
        V value(producer, i);
        if (draw % 16 < 9) {
          structure->push(value);
          inside->push(value);
        } else if (structure->try_pop(&value)) {
          inside->pop(value);
          order.expect_next(value);
        }
      }
    });
  });

  const int64_t size = structure->size();
  EXPECT_GT(size, 0);
  V value;
  int64_t left = 0;
  for (; left < size / 2 && structure->try_pop(&value); ++left) inside->pop(value);
  on_all_cores([structure, inside] {
    forall_here<1>(0, kTasksPerCore, [=](int64_t) {
      V rest;
      while (structure->try_pop(&rest)) inside->pop(rest);
    });
  });
  EXPECT_TRUE(structure->empty());
  const auto count = sum_all_cores([inside] { return inside->count; });
  const auto hashes = sum_all_cores([inside] { return inside->hashes; });
  const auto popped = sum_all_cores([inside] { return inside->popped; });
  EXPECT_EQ(0, count);
  EXPECT_EQ(0u, hashes);
  EXPECT_GT(popped, operations / 3);
  global_free(inside);
  structure->destroy();
}

TEST(Stack, ConservesElements) {
  hammer<GlobalStack, Value>(Combining::Distributed, FLAGS_operations, false);
}

TEST(Queue, ConservesElementsAndTheOrderOfProducers) {
  hammer<GlobalQueue, Value>(Combining::Distributed, FLAGS_operations, true);
}

TEST(Stack, ConservesElementsInTheOtherModes) {
  hammer<GlobalStack, Value>(Combining::None, FLAGS_operations / 40, false);
  hammer<GlobalStack, Value>(Combining::Centralized, FLAGS_operations / 40, false);
}

TEST(Queue, ConservesElementsInTheOtherModes) {
  hammer<GlobalQueue, Value>(Combining::None, FLAGS_operations / 40, true);
  hammer<GlobalQueue, Value>(Combining::Centralized, FLAGS_operations / 40, true);
}

TEST(Queue, ConservesElementsOfVariableLength) {
  hammer<GlobalQueue, LongValue>(Combining::Distributed, FLAGS_operations / 10, true);
  hammer<GlobalQueue, LongValue>(Combining::None, FLAGS_operations / 40, true);
  hammer<GlobalQueue, LongValue>(Combining::Centralized, FLAGS_operations / 40, true);
}

TEST(StackAndQueue, AreUsedByOneCoreOnly) {
  const Core last = static_cast<Core>(cores() - 1);
  hammer<GlobalStack, Value>(Combining::Distributed, FLAGS_operations / 10, false, last);
  hammer<GlobalQueue, Value>(Combining::Distributed, FLAGS_operations / 10, true, last);
}

}  // namespace
