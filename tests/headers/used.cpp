/// Instantiates templates of the public headers. A second compiler also compiles this file.

#include "structures/global_vector.hpp"

#include <Grappa.hpp>

#include <cstdint>

namespace {

Grappa::GlobalCompletionEvent event;

struct Element {
  int64_t value;
};

}  // namespace

int main(int argc, char* argv[]) {
  Grappa::init(&argc, &argv);
  Grappa::run([] {
    const auto array = Grappa::global_alloc<Element>(100);
    Grappa::forall<&event>(array, 100, [](int64_t i, Element& element) { element.value = i; });
    Grappa::forall<Grappa::unbound, &event, 4>(array, 100, [](Element& element) {
      Grappa::delegate::call<Grappa::async, &event>(0, [] {});
      ++element.value;
    });
    Grappa::forall<Grappa::async, &event>(0, 100, [](int64_t) { Grappa::yield(); });
    event.wait();
    Grappa::forall_here<&event>(0, 100, [](int64_t) {});
    Grappa::finish<&event>([array] {
      Grappa::spawn<Grappa::unbound, &event>([array] {
        Grappa::delegate::call(array + 1, [](Element& element) { return element.value; });
      });
    });
    Grappa::finish([] { Grappa::on_all_cores([] { Grappa::barrier(); }); });
  });
  return Grappa::finalize();
}
