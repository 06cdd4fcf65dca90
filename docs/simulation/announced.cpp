#include <Grappa.hpp>

#include <gflags/gflags.h>

using namespace Grappa;

DEFINE_int64(values, 100, "values to announce");

int64_t latest = 0;  // on core 1

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const Core store = 1, reader = 2;
    finish([=] {
      for (int64_t value = 1; value <= FLAGS_values; ++value) {
        delegate::call<async>(store, [value] { latest = value; });
        delegate::call(reader, [=] {
          spawn([=] {
            const int64_t found = delegate::call(store, [] { return latest; });
            GRAPPA_CHECK(found >= value) << "value " << value << " was announced, found " << found;
          });
        });
      }
    });
  });
  return finalize();
}
