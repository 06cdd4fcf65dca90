#include "system/base/checked_mode.hpp"

#include "system/base/compiler.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

#ifdef NDEBUG
constexpr bool kDefault = false;
#else
constexpr bool kDefault = true;
#endif

constexpr bool kSanitized = GRAPPA_ASAN || GRAPPA_TSAN;

bool wanted() {
  const char* value = std::getenv("GRAPPA_CHECK");
  return value == nullptr || value[0] == '\0' ? kDefault : std::strcmp(value, "0") != 0;
}

/// Allocates and keeps all free memory in the heap that follows the program, large blocks first.
void move_heap() {
  const uintptr_t end = reinterpret_cast<uintptr_t>(::sbrk(0));
  char* const next = reinterpret_cast<char*>(align_up(end, page_bytes()));
  if (!block_page(next)) return;  // the heap stays, and pointers into the heap are not detected
  for (size_t bytes = size_t{64} * 1024; bytes >= 16; bytes /= 2) {
    void* piece = std::malloc(bytes);
    while (piece != nullptr && piece < next) piece = std::malloc(bytes);
    std::free(piece);
  }
}

__attribute__((constructor(101))) void before_main() {
  the_checked_mode = wanted();
  if (the_checked_mode && !kSanitized) move_heap();
}

/// Returns whether the mapping in a line of /proc/self/maps contains `address`, and if so, whether
/// the mapping is private, readable and writable.
bool parse(const char* line, uintptr_t address, bool* is_private) {
  char* end;
  const uintptr_t first = std::strtoul(line, &end, 16);
  if (*end != '-' || address < first) return false;
  const uintptr_t last = std::strtoul(end + 1, &end, 16);
  if (*end != ' ' || address >= last) return false;
  const char* const rights = end + 1;  // for example rw-p
  *is_private = rights[0] == 'r' && rights[1] == 'w' && rights[3] == 'p';
  return true;
}

}  // namespace

bool the_checked_mode = false;

bool is_private_memory(uintptr_t address) {
  // Sanitizers map memory at addresses that equal common integers.
  if (kSanitized || !may_be_private(address)) return false;
  // Most values are not addresses. This call detects them faster than parsing /proc/self/maps.
  if (!is_mapped(reinterpret_cast<const void*>(address))) return false;
  const int file = ::open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  static char text[16 * 1024];
  size_t length = 0;
  bool found = false, is_private = false;
  while (!found) {
    const ssize_t bytes = ::read(file, text + length, sizeof text - 1 - length);
    if (bytes <= 0) break;
    length += static_cast<size_t>(bytes);
    text[length] = '\0';
    char* line = text;
    for (char* end; !found && (end = std::strchr(line, '\n')) != nullptr; line = end + 1) {
      found = parse(line, address, &is_private);
    }
    length -= static_cast<size_t>(line - text);
    std::memmove(text, line, length);
  }
  ::close(file);
  return found && is_private;
}

}  // namespace Grappa::detail
