#include "structures/detail/known_keys.hpp"

#include "system/base/input_error.hpp"

#include <string>

#include <gflags/gflags.h>

DEFINE_int64(
    known_keys, 8192,
    "keys of a global set that each core caches, to answer repeated inserts and lookups of these "
    "keys locally; 0: no cache");

namespace Grappa::detail {

size_t known_keys_option() {
  if (FLAGS_known_keys < 0 || FLAGS_known_keys > kMaxKnownKeys) {
    input_error("--known_keys: invalid value " + std::to_string(FLAGS_known_keys) +
                ", expected 0 to " + std::to_string(kMaxKnownKeys));
  }
  return static_cast<size_t>(FLAGS_known_keys);
}

}  // namespace Grappa::detail
