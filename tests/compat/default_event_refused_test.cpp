/// Waits for the default event inside a finish. The async work belongs to the scope of the finish,
/// so the job must abort.

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
