#include <Grappa.hpp>

#include <iostream>
#include <string>

using namespace Grappa;

DEFINE_int64(count, 1000, "how many numbers to check");
DEFINE_string(kind, "odd", "kind of numbers to count: odd or even");

Reducer<int64_t, ReducerType::Add> found;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  if (FLAGS_kind != "odd" && FLAGS_kind != "even") {
    input_error("--kind: invalid value \"" + FLAGS_kind + "\", expected odd or even");
  }
  run([] {
    forall(0, FLAGS_count, [](int64_t i) { found += i % 2 == (FLAGS_kind == "odd"); });
    const int64_t numbers = found;
    GRAPPA_CHECK(numbers <= FLAGS_count) << "counted " << numbers << " of " << FLAGS_count;
    std::cout << numbers << " numbers are " << FLAGS_kind << std::endl;
    if (numbers == 0) end_job(1);
  });
  return finalize();
}
