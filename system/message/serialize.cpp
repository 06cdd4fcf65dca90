#include "system/message/serialize.hpp"

#include "system/base/check.hpp"

#include <cstdlib>

namespace Grappa::detail {
namespace {

std::string name_of(const char* signature) {
  size_t length;
  const char* const name = type_name_in(signature, &length);
  return std::string(name, length);
}

}  // namespace

void report_write_beyond(const char* signature, size_t bytes, size_t left) {
  GRAPPA_CHECK(false) << "Serialize<" << name_of(signature) << ">::write writes " << bytes
                      << " bytes, but only " << left
                      << " are left of those that size() has announced: write what size() counts";
  std::abort();  // not reached, but CHECK is not [[noreturn]]
}

void report_read_beyond(const char* signature, size_t bytes, size_t left) {
  GRAPPA_CHECK(false) << "Serialize<" << name_of(signature) << ">::read reads " << bytes
                      << " bytes, but only " << left
                      << " are left of the value: read what write() wrote, in the same order";
  std::abort();
}

void report_size(const char* signature, size_t left) {
  GRAPPA_CHECK(false) << "Serialize<" << name_of(signature) << ">::write has written " << left
                      << " bytes fewer than size() has announced: write what size() counts";
  std::abort();
}

void report_unread(const char* signature, size_t left) {
  GRAPPA_CHECK(false) << "Serialize<" << name_of(signature) << ">::read has left " << left
                      << " bytes of the value: read what write() wrote, in the same order";
  std::abort();
}

void report_count(const char* signature, uint64_t count, size_t left) {
  GRAPPA_CHECK(false) << "Serialize<" << name_of(signature) << ">::read reads " << count
                      << " elements, but only " << left
                      << " bytes are left of the value: read what write() wrote, in the same order";
  std::abort();
}

void report_long(size_t count) {
  GRAPPA_CHECK(false) << "a value with " << count
                      << " elements cannot be sent: the limit is 4294967295 elements";
  std::abort();
}

}  // namespace Grappa::detail
