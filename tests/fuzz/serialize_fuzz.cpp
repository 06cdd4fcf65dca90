/// Any bytes are read as values of several types. Either the bytes are rejected by one of the
/// reports that abort a job, or writing the value gives the same bytes. The memory that is
/// allocated meanwhile is proportional to the number of bytes.

#include "system/message/serialize.hpp"
#include "tests/fuzz/fuzz.hpp"
#include "tests/message/serialized_types.hpp"

#include <cstdlib>
#include <new>
#include <tuple>
#include <utility>

using namespace Grappa;

namespace {

struct Rejected {};

size_t allocated = 0;  // bytes, in all

}  // namespace

// Called instead of the functions that abort (--wrap).
extern "C" {
[[noreturn]] void __wrap__ZN6Grappa6detail18report_read_beyondEPKcmm(const char*, size_t, size_t);
[[noreturn]] void __wrap__ZN6Grappa6detail12report_countEPKcmm(const char*, uint64_t, size_t);
[[noreturn]] void __wrap__ZN6Grappa6detail13report_unreadEPKcm(const char*, size_t);

void __wrap__ZN6Grappa6detail18report_read_beyondEPKcmm(const char*, size_t bytes, size_t left) {
  GRAPPA_CHECK(bytes > left);
  throw Rejected();
}
void __wrap__ZN6Grappa6detail12report_countEPKcmm(const char*, uint64_t count, size_t left) {
  GRAPPA_CHECK(count > 0 && count * 8 > left) << count << " elements, " << left << " bytes";
  throw Rejected();
}
void __wrap__ZN6Grappa6detail13report_unreadEPKcm(const char*, size_t left) {
  GRAPPA_CHECK(left > 0);
  throw Rejected();
}
}

void* operator new(size_t bytes) {
  allocated += bytes;
  void* const at = std::malloc(bytes != 0 ? bytes : 1);
  if (at == nullptr) throw std::bad_alloc();
  return at;
}
void operator delete(void* at) noexcept { std::free(at); }
void operator delete(void* at, size_t) noexcept { std::free(at); }

namespace {

template <class T>
std::string bytes_of(const T& value) {
  std::string bytes(Serialize<T>::size(value), '\0');
  detail::write_checked(&bytes[0], bytes.size(), value);
  return bytes;
}

template <class T>
void check(const std::string& bytes) {
  // An element of a vector may be larger than its bytes, and a vector that grows is copied.
  const size_t most = allocated + 64 * bytes.size() + 4096;
  try {
    const T value = detail::read_checked<T>(bytes.data(), bytes.size());
    GRAPPA_CHECK(allocated <= most) << allocated - most;
    GRAPPA_CHECK(bytes_of(value) == bytes) << "the value has other bytes";
  } catch (const Rejected&) {
    GRAPPA_CHECK(allocated <= most) << allocated - most;
  }
}

// A byte of a bool is 0 or 1 in the bytes of a value, but not in other bytes.
void check_bools(const std::string& bytes) {
  try {
    const auto bools = detail::read_checked<std::vector<bool>>(bytes.data(), bytes.size());
    GRAPPA_CHECK(bools.size() + 4 == bytes.size());
    for (size_t k = 0; k < bools.size(); ++k) GRAPPA_CHECK(bools[k] == (bytes[k + 4] != 0)) << k;
  } catch (const Rejected&) {}
}

// The byte of an element without bytes may have any value.
void check_units(const std::string& bytes) {
  const size_t most = allocated + 256 * bytes.size() + 4096;
  try {
    const auto units = detail::read_checked<std::vector<Unit>>(bytes.data(), bytes.size());
    GRAPPA_CHECK(units.size() + 4 == bytes.size());
  } catch (const Rejected&) {}
  GRAPPA_CHECK(allocated <= most) << allocated - most;
}

typedef std::pair<std::string, int32_t> Count;
typedef std::tuple<std::string, std::vector<Count>, int64_t> Tuple;
typedef std::vector<std::vector<std::vector<uint16_t>>> Deep;

}  // namespace

std::vector<std::string> fuzz::corpus() {
  return {bytes_of(std::string("some text")),
          bytes_of(std::vector<int64_t>{1, -1, INT64_MAX}),
          bytes_of(std::vector<bool>{true, false, true}),
          bytes_of(std::vector<std::string>{"", "a", "bcd"}),
          bytes_of(Deep{{{1, 2}, {}}, {}, {{3}}}),
          bytes_of(Tuple("x", {{"y", 1}, {"z", 2}}, 3)),
          bytes_of(std::vector<Road>{{"A1", {2, 3}}, {"", {}}}),
          bytes_of(std::vector<Unit>(3))};
}

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  check<std::string>(bytes);
  check<std::vector<int64_t>>(bytes);
  check<std::vector<std::string>>(bytes);
  check<Deep>(bytes);
  check<Count>(bytes);
  check<Tuple>(bytes);
  check<std::vector<Road>>(bytes);
  check_units(bytes);
  check_bools(bytes);
  return 0;
}
