#include "bench/warm_up.hpp"

#include <Grappa.hpp>

#include <cstdint>

namespace bench {
namespace {

constexpr int64_t kMessages = 4 << 20;  // from each core, of 8 bytes

uint64_t sum = 0;

}  // namespace

void touch_message_buffers() {
  const int64_t others = Grappa::cores() - 1;
  if (others == 0) return;
  Grappa::on_all_cores([others] {
    for (int64_t k = 0; k < kMessages; ++k) {
      const int64_t dest = (Grappa::mycore() + 1 + k % others) % Grappa::cores();
      Grappa::delegate::call<Grappa::async>(Grappa::Core(dest), [k] { sum += uint64_t(k); });
    }
  });
}

}  // namespace bench
