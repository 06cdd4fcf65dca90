/// Names of the original Grappa with wrong types.

#include "system/compat/promise.hpp"

#include <string>

namespace {

using namespace Grappa;

int64_t word = 0;

}  // namespace

void promises() {
#ifndef CASE
  Promise<double> made;
  made.call_async(1, [] { return word; });
#endif

#ifdef PROMISE_OF_ANOTHER_TYPE  // does not convert to the type of the promise
  Promise<int64_t> promise;
  promise.call_async(1, [] { return &word; });
#endif
}
