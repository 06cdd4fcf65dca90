/// The phases of a program, in a test with its own main. run() may be called more than once, and
/// data of a run is kept in the next run.

#include <Grappa.hpp>
#include <cstdio>

namespace {

int failures = 0;

void expect(bool good, const char* what) {
  if (good) return;
  std::fprintf(stderr, "core %d: %s\n", static_cast<int>(Grappa::mycore()), what);
  ++failures;
}

int64_t late = 0;
Grappa::CompletionEvent never_yet;

}  // namespace

DEFINE_int32(answer, 0, "a flag of the program");

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  expect(argc == 2, "flags are removed from argv, other arguments stay");
  expect(FLAGS_answer == 42, "the program's flags are parsed");

  int runs = 0;
  Grappa::run([&runs] { ++runs; });
  Grappa::run([&runs] {
    ++runs;
    // When run() returns, a message is in transit, and a task waits.
    Grappa::send_message(static_cast<Grappa::Core>(Grappa::cores() - 1), [] { ++late; });
    never_yet.enroll();
    Grappa::spawn([] {
      never_yet.wait();
      ++late;
    });
    Grappa::yield();
  });
  expect(Grappa::mycore() != 0 || runs == 2, "the body runs once on core 0, and may capture");
  expect(Grappa::mycore() == 0 || runs == 0, "and on no other core");
  expect(Grappa::mycore() != Grappa::cores() - 1 || late == 1,
         "messages arrive before run returns");

  Grappa::run([] {
    Grappa::finish([] { never_yet.complete(); });
    while (Grappa::delegate::call(0, [] { return late; }) < (Grappa::cores() == 1 ? 2 : 1)) {
      Grappa::yield();
    }
  });
  // Tasks that send large messages to the last core forever must not keep run from returning.
  Grappa::run([] {
    for (int k = 0; k < 20; ++k) {
      Grappa::spawn([] {
        struct Large {
          char bytes[4000];
        } large = {};
        const Grappa::Core last = static_cast<Grappa::Core>(Grappa::cores() - 1);
        for (int64_t i = 0;; ++i) {
          Grappa::send_message(last, [large] { late += large.bytes[0]; });
          if (i % 100 == 0) Grappa::yield();
        }
      });
    }
    for (int k = 0; k < 3; ++k) Grappa::yield();
  });
  const int finalized = Grappa::finalize();
  return failures == 0 ? finalized : 1;
}
