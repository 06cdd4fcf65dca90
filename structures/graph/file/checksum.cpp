#include "structures/graph/file/checksum.hpp"

#include "system/base/check.hpp"

#include <xxhash.h>

namespace Grappa {
namespace detail {

Checksum::Checksum() : state_(XXH3_createState()) {
  GRAPPA_CHECK(state_ != nullptr) << "no memory for a checksum";
  reset();
}

Checksum::~Checksum() { XXH3_freeState(state_); }

void Checksum::add(const void* bytes, size_t size) { XXH3_64bits_update(state_, bytes, size); }

uint64_t Checksum::value() const { return XXH3_64bits_digest(state_); }

void Checksum::reset() { XXH3_64bits_reset(state_); }

uint64_t checksum_of(const void* bytes, size_t size) { return XXH3_64bits(bytes, size); }

}  // namespace detail
}  // namespace Grappa
