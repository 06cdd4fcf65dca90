/// Loops with template arguments or bodies that do not fit.

#include "system/parallel/forall.hpp"
#include "system/parallel/reduce_loop.hpp"

#include <string>

namespace {

using namespace Grappa;

GlobalCompletionEvent event;
GlobalAddress<int64_t> words;

}  // namespace

void loops() {
#ifndef CASE
  forall<unbound, async, &event, 64>(words, 10, [](int64_t&) {});
  forall<async, 64>(0, 10, [](int64_t) {});

  sum(words, 10, [](int64_t i, const int64_t& word) { return double(i * word); });
#endif

#ifdef SYNC_BEFORE_TASK  // the order task mode, synchronisation mode, event, threshold
  forall<async, unbound>(0, 10, [](int64_t) {});
#endif
#ifdef EVENT_BEFORE_TASK  // the order task mode, synchronisation mode, event, threshold
  forall<&event, unbound>(words, 10, [](int64_t&) {});
#endif
#ifdef EVENT_BEFORE_SYNC  // the order task mode, synchronisation mode, event, threshold
  forall<&event, async>(words, [](int64_t&) {});
#endif
#ifdef THRESHOLD_BEFORE_TASK  // the order task mode, synchronisation mode, event, threshold
  forall_here<64, unbound>(0, 10, [](int64_t) {});
#endif
#ifdef THRESHOLD_BEFORE_SYNC  // the order task mode, synchronisation mode, event, threshold
  forall_here<64, async>(0, 10, [](int64_t) {});
#endif
#ifdef THRESHOLD_BEFORE_EVENT  // the order task mode, synchronisation mode, event, threshold
  forall<64, &event>(0, 10, [](int64_t) {});
#endif
#ifdef SUM_OF_RANGES  // the body of sum or reduce over a global array takes (T&) or (int64_t i, T&)
  sum(words, 10, [](int64_t, int64_t n, int64_t*) { return n; });
#endif
#ifdef SUM_WITHOUT_INDEX  // the body of sum or reduce over indices takes (int64_t i)
  sum(0, 10, [] { return 1.5; });
#endif
#ifdef SUM_OF_BOOLS  // the body of sum returns bool, whose sum is at most 1
  sum(words, 10, [](int64_t& word) { return word > 0; });
#endif
#ifdef REDUCE_TO_INT  // the body of reduce must return the type of the initial value
  reduce(
      words, 10, 0, [](int64_t& word) { return word; }, [](int a, int b) { return a + b; });
#endif
#ifdef THREE_IN_WRONG_ORDER  // no matching function
  forall<64, async, &event>(0, 10, [](int64_t) {});
#endif
#ifdef NEGATIVE_THRESHOLD  // omit it to use --loop_threshold
  forall<-1>(0, 10, [](int64_t) {});
#endif
#ifdef OTHER_ELEMENT  // the body of a loop over a global array takes (T&)
  forall<async>(words, 10, [](std::string&) {});
#endif
#ifdef OTHER_INDEX  // the body of a loop over indices takes (int64_t i)
  forall(0, 10, [](std::string&) {});
#endif
}
