/// Waiting for the default event where async work belongs to a finish.

#include <Grappa.hpp>

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    Grappa::finish([] {
      Grappa::forall<Grappa::async>(0, 10, [](int64_t) {});
      Grappa::default_gce().wait();
    });
  });
  return Grappa::finalize();
}
