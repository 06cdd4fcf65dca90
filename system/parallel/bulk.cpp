#include "system/parallel/bulk.hpp"

namespace Grappa::detail {
namespace {

typedef GlobalAddress<char> Bytes;

bool plain_here(Bytes address) { return address.is_2D() && address.core() == mycore(); }

/// Does not detect the overlap of a linear with a 2D address.
bool overlap(Bytes a, Bytes b, uint64_t bytes) {
  const uint64_t lower = std::min(a.raw_bits(), b.raw_bits());
  return std::max(a.raw_bits(), b.raw_bits()) - lower < bytes;
}

}  // namespace

void copy_bytes(uint64_t to_bits, uint64_t from_bits, uint64_t bytes) {
  if (bytes == 0 || to_bits == from_bits) return;
  const Bytes to = Bytes::from_raw(to_bits), from = Bytes::from_raw(from_bits);
  GRAPPA_CHECK(to && from) << "memcpy " << (to ? "from" : "to") << " the null address";
  GRAPPA_CHECK(!overlap(to, from, bytes))
      << "memcpy of " << bytes << " bytes from " << from << " to " << to
      << ": the ranges overlap; copy through another array";
  check_allocated(to_bits, bytes, "memcpy");
  check_allocated(from_bits, bytes, "memcpy");
  if (to.is_linear() && from.is_linear()) {
    const auto copy_owned = [=] {
      BulkTransfer transfer;
      put_owned(to_bits, from_bits, bytes, &transfer);
      transfer.wait();
    };
    finish([=] { start_at_owners(from, static_cast<int64_t>(bytes), copy_owned); });
  } else if (plain_here(from) || plain_here(to)) {
    BulkTransfer transfer;
    plain_here(from) ? put(to_bits, from.pointer(), bytes, &transfer)
                     : get(to.pointer(), from_bits, bytes, &transfer);
    transfer.wait();
  } else {
    const Core plain = from.is_2D() ? from.core() : to.core();
    finish([=] { start_on_cores(plain, 1, [=] { copy_bytes(to_bits, from_bits, bytes); }); });
  }
}

}  // namespace Grappa::detail
