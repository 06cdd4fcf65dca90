/// Delegates whose body or answer cannot be sent.

#include "system/global/delegate.hpp"
#include "system/global/payload.hpp"
#include "system/sync/mutex.hpp"

#include <string>

namespace {

using namespace Grappa;

Mutex mutex;
int64_t word = 0;
std::string text = "of no fixed length";

template <size_t n>
struct Bytes {
  char at[n];
};

}  // namespace

void delegates() {
  const auto address = make_global(&word);
#ifndef CASE
  delegate::call(1, [] { return Bytes<65431>(); });
  delegate::call(1, [] { return Bytes<65432>(); });
#endif

#ifdef STRING_CAPTURED  // all its captures must be trivially copyable
  const std::string copy = text;
  delegate::call(1, [copy] { return copy.size(); });
#endif
#ifdef STRING_CAPTURED_FOR_AN_ADDRESS  // all its captures must be trivially copyable
  const std::string copy = text;
  delegate::call(address, [copy](int64_t& w) { w = static_cast<int64_t>(copy.size()); });
#endif
#ifdef STRING_RETURNED  // the return type of a delegate must be trivially copyable
  delegate::call(1, [] { return text; });
#endif
#ifdef STRING_READ  // the return type of a delegate must be trivially copyable
  delegate::read(make_global(&text));
#endif
#ifdef REFERENCE_RETURNED  // must return a value
  delegate::call(1, []() -> int64_t& { return word; });
#endif
#ifdef REFERENCE_RETURNED_FROM_AN_ADDRESS  // must return a value
  delegate::call(address, [](int64_t& w) -> int64_t& { return w; });
#endif
#ifdef ONE_BYTE_TOO_LARGE  // must fit in 65432 bytes of a message buffer
  delegate::call(1, [] { return Bytes<65433>(); });
#endif
#ifdef LARGE_CLOSURE  // this closure is too large for a message
  const Bytes<9000> large = {};
  delegate::call(1, [large] { return large.at[0]; });
#endif
#ifdef OTHER_ARGUMENT  // must take the object: (T&) or (T*)
  delegate::call(address, [](std::string&) {});
#endif
#ifdef NO_LOCK  // must be a Mutex or another type with lock() and unlock()
  delegate::call(
      1, [] { return &word; }, [] {});
#endif
#ifdef LOCK_BY_VALUE  // must return a pointer or a reference to the lock
  delegate::call(
      1, [] { return 5; }, [] {});
#endif
#ifdef FUTURE_OF_A_STRING  // the return type of a delegate must be trivially copyable
  Future<std::string> future = delegate::call_future(1, [] { return text; });
#endif
#ifdef FUTURE_COPIED  // deleted
  Future<int64_t> future = delegate::read_future(address);
  Future<int64_t> copy = future;
#endif
  (void)address;
}
