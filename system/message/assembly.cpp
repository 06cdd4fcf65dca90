#include "system/message/assembly.hpp"

#include "system/base/check.hpp"
#include "system/observe/counters.hpp"

#include <cstdlib>
#include <cstring>

namespace Grappa::detail {
namespace {

Counter parts("message.payload_parts", "messages", "with parts of payloads too large for a buffer");

}  // namespace

Assembly::~Assembly() {
  for (auto& entry : unfinished_) std::free(entry.second.memory);
}

void* Assembly::add(Core source, uint32_t number, size_t total_bytes, size_t offset,
                    const void* part, size_t bytes) {
  ++parts;
  const uint64_t name = static_cast<uint64_t>(source) << 32 | number;
  Unfinished& payload = unfinished_[name];
  if (payload.memory == nullptr) {
    payload.memory = static_cast<char*>(std::malloc(total_bytes));
    GRAPPA_CHECK(payload.memory != nullptr)
        << "out of memory for a message of " << total_bytes << " bytes from core " << source;
  }
  GRAPPA_DCHECK(offset + bytes <= total_bytes);
  std::memcpy(payload.memory + offset, part, bytes);
  payload.received_bytes += bytes;
  if (payload.received_bytes < total_bytes) return nullptr;
  void* whole = payload.memory;
  unfinished_.erase(name);
  return whole;
}

}  // namespace Grappa::detail
