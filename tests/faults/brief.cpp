/// A job for fault tests, which runs for --seconds, checks its results, and prints one line.

#include <Grappa.hpp>

#include <cstdint>
#include <iostream>
#include <string>

DEFINE_double(seconds, 0, "duration of the work; at least one round runs");
DEFINE_int64(megabytes, 8, "MiB of global heap memory that the program allocates and writes");
DEFINE_string(say, "", "text to print when the work begins; nothing if empty");

namespace {

using namespace Grappa;

int64_t received = 0;  // each core has its own count

/// Returns true if messages between all cores arrive and written memory has the right contents.
bool works_once(GlobalAddress<int64_t> numbers, int64_t n) {
  constexpr int64_t kMessages = 10000;
  const int64_t before = sum_all_cores([] { return received; });
  forall(0, kMessages, [](int64_t i) {
    delegate::call<async>(static_cast<Core>(i % cores()), [] { ++received; });
  });
  const int64_t after = sum_all_cores([] { return received; });
  forall(numbers, n, [](int64_t i, int64_t& number) { number = i; });
  const GlobalAddress<int64_t> last = numbers + (n - 1);
  return after - before == kMessages && delegate::read(last) == n - 1;
}

bool work() {
  const int64_t n = FLAGS_megabytes * ((int64_t{1} << 20) / static_cast<int64_t>(sizeof(int64_t)));
  const auto numbers = global_alloc<int64_t>(static_cast<size_t>(n));
  if (!FLAGS_say.empty()) std::cout << FLAGS_say << std::endl;
  const double end = walltime() + FLAGS_seconds;
  bool right = true;
  do {
    right = works_once(numbers, n) && right;
  } while (walltime() < end);
  global_free(numbers);
  return right;
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  int status = 0;
  run([&status] {
    const bool right = work();
    std::cout << cores() << (right ? " cores agree" : " cores do not agree") << std::endl;
    status = right ? 0 : 1;
  });
  return finalize() != 0 ? 1 : status;
}
