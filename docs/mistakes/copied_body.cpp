#include "structures/global_counter.hpp"

#include <Grappa.hpp>

#include <iostream>

using namespace Grappa;

/// A loop body with a member that changes.
struct Body {
  int64_t calls = 0;
  void operator()(int64_t) { ++calls; }
};

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    // Wrong: each core calls a copy of the body.
    Body body;
    forall(0, 1000, body);
    std::cout << "calls in the body: " << body.calls << std::endl;

    // Right: the body captures the address of an object that each core has.
    GlobalAddress<GlobalCounter> calls = GlobalCounter::create();
    forall(0, 1000, [calls](int64_t) { calls->incr(); });
    std::cout << "calls in the counter: " << calls->count() << std::endl;
    calls->destroy();
  });
  return finalize();
}
