#pragma once

/// Elements of a global stack or queue that one core keeps, each at one place until it is taken.
///
/// A core keeps what its own tasks have pushed, so that a push moves nothing; what others pop is
/// sent to them once. Elements are written side by side into pages. A page whose elements have all
/// been taken is used again, and of a page whose last ones have been taken, as a stack's are, what
/// lies behind the rest: so what is used as a stack or as a queue stays within what elements there
/// are at a time need, and a page or two. Below an element that is left, nothing is used again. It
/// is never given back before the structure ends.
/// Invariant: of the elements below `used` of a page, `live` have not been taken.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

class ElementStore {
 public:
  /// The alignment divides the size, both in bytes, and is at most 64.
  explicit ElementStore(size_t element_bytes);
  ~ElementStore();
  ElementStore(const ElementStore&) = delete;
  ElementStore& operator=(const ElementStore&) = delete;

  /// Takes address space for `n` elements, so that they need no more later.
  void reserve(int64_t n);

  /// Room for 1 to `n` elements, side by side; how many there is in `n`. Ends the job if memory
  /// does.
  char* append(int64_t* n);

  /// `n` elements from `first` on, which lie on one page, have been taken.
  void release(const char* first, int64_t n);

  /// Bytes of the pages that there are.
  size_t bytes() const { return pages_ * page_bytes_; }

 private:
  struct Page;
  struct Slab {
    char* address;
    size_t bytes;
  };

  char* elements_of(Page* page) const;
  Page* page_of(const char* element) const;
  void add_page();
  void add_slab(size_t bytes);

  const size_t element_bytes_;
  const size_t page_bytes_;  // a power of two, to which pages are aligned
  const int64_t page_elements_;
  std::vector<Page*> open_;  // pages with room; the last is being filled
  std::vector<Slab> slabs_;  // of the last one pages are still to be made
  size_t slab_used_ = 0;
  size_t pages_ = 0;
};

}  // namespace detail
}  // namespace Grappa
