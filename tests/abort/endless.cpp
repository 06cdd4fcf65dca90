/// Runs until it is killed: every core continuously sends messages to all cores.

#include <Grappa.hpp>

int64_t received = 0;

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    for (;;) {
      Grappa::forall(0, 1000, [](int64_t i) {
        Grappa::delegate::call<Grappa::async>(static_cast<Grappa::Core>(i % Grappa::cores()),
                                              [] { ++received; });
      });
    }
  });
  return Grappa::finalize();
}
