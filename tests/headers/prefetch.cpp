/// Functions that only prefetch, and calls of them. The test headers.prefetch searches the
/// compiled code for the calls.

#include "system/base/compiler.hpp"

struct Table {
  const long* place(unsigned long at) const {
    while (slots[at] > 0 && slots[at] < limit) ++at;
    return slots[at] == 0 ? slots + at : entries + slots[at];
  }
  GRAPPA_NOINLINE void prefetch_to_write(unsigned long at) const { GRAPPA_PREFETCH(place(at)); }
  GRAPPA_NOINLINE void prefetch_to_read(unsigned long at) const {
    GRAPPA_PREFETCH_TO_READ(place(at));
  }

  const long* slots;
  const long* entries;
  long limit;
};

unsigned long prefetch_all(const Table& table, unsigned long n) {
  unsigned long at = 0;
  while (at < n) table.prefetch_to_write(at++);
  while (at > 0) table.prefetch_to_read(--at);
  return at;
}
