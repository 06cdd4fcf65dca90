/// A program for the original Grappa: Grappa.hpp declares hostname() and includes <iostream>, and
/// Delegate.hpp declares names outside of the namespace.

#include <Delegate.hpp>
#include <Grappa.hpp>

static int64_t counter = 0;

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    GlobalAddress<int64_t> there = make_global(&counter, 0);
    Grappa::on_all_cores([there] {
      if (*Grappa::hostname() != '\0') Grappa::delegate::fetch_and_add(there, 1);
    });
    std::cout << Grappa::cores() << " cores count " << counter << std::endl;
  });
  return Grappa::finalize();
}
