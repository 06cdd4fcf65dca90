/// Programs that break a rule of a global container: one case for each --way, in a task of the last
/// core, which must end the job. abort/ways.cmake holds what each must say.

#include "structures/global_array.hpp"
#include "structures/global_bag.hpp"
#include "structures/global_vector.hpp"
#include "structures/push_buffer.hpp"

#include <Grappa.hpp>

#include <string>

DEFINE_string(way, "", "how to end");

namespace {

using namespace Grappa;

PushBuffer<int64_t> buffer;

void break_rules(const std::string& way) {
  if (way == "array_of_less_than_none") GlobalArray<int64_t>::create(-1);
  if (way == "array_out_of_memory") GlobalArray<int64_t>::create(int64_t{1} << 50);
  if (way == "bag_of_less_than_none") GlobalBag<int64_t>::create(-1);
  if (way == "bag_out_of_memory") GlobalBag<int64_t>::create(int64_t{1} << 58);
  if (way == "push_before_setup") buffer.push(1);
  if (way == "vector_of_less_than_none") GlobalVector<int64_t>::create(-1);
  if (way == "setup_before_flush") {
    const auto array = global_alloc<int64_t>(10);
    buffer.setup(array, array);
    buffer.push(1);
    buffer.push(2);
    buffer.setup(array, array);
  }
}

/// A vector that has had elements, and has none.
void take_from_none(const std::string& way) {
  const auto vector = GlobalVector<int64_t>::create();
  vector->push(1);
  vector->pop();
  if (way == "vector_pop") vector->pop();
  if (way == "vector_dequeue") vector->dequeue();
  if (way == "vector_front") vector->front();
  if (way == "vector_back") vector->back();
  vector->push(1);
  vector->push(2);
  if (way == "vector_element") (*vector)[2];
  if (way == "vector_element_below") (*vector)[-1];
}

void fail(const std::string& way) {
  break_rules(way);
  if (way.compare(0, 7, "vector_") == 0) take_from_none(way);
}

struct Way {
  char name[32];
};

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    Way way = {};
    FLAGS_way.copy(way.name, sizeof way.name - 1);
    delegate::call<async>(static_cast<Core>(cores() - 1),
                          [way] { spawn([way] { fail(way.name); }); });
    CompletionEvent never(1);
    never.wait();  // the failure ends the job; the main task does not
  });
  return finalize();
}
