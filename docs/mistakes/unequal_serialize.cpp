/// A Serialize that reads more bytes than it writes.

#include <Grappa.hpp>

#include <vector>

using namespace Grappa;

struct Reading {
  double value;
  std::vector<double> history;
};

// Wrong: write() writes 4 bytes, and read() reads 8.
template <>
struct Grappa::Serialize<Reading> {
  static size_t size(const Reading&) { return 4; }
  static void write(Writer* to, const Reading& reading) {
    to->value(static_cast<float>(reading.value));
  }
  static Reading read(Reader* from) {
    Reading reading;
    from->values(&reading.value);
    return reading;
  }
};

double last_value = 0;

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] {
    const Core last = static_cast<Core>(cores() - 1);
    const Reading reading = {1.5, {}};
    delegate::call(last, payload(reading), [](const Reading& read) { last_value = read.value; });
  });
  return finalize();
}
