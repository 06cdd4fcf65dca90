#pragma once

/// The elements of a global stack or queue on one core. Their addresses do not change.
///
/// A core stores the elements that its own tasks push, so a push moves no data to another core. An
/// element that another core pops is sent to that core once. Elements are written consecutively
/// into pages. A page is reused when all its elements are removed. If the last elements of a page
/// are removed, as in a stack, their space is reused too. So a stack or a queue needs memory for
/// its current elements, and one or two more pages. Free space below a remaining element is not
/// reused. Pages are not freed before the structure is destroyed.
/// Invariant: of the elements below `used` of a page, `live` have not been removed.

#include <cstddef>
#include <cstdint>
#include <vector>

namespace Grappa {
namespace detail {

class ElementStore {
 public:
  /// `element_bytes` is a multiple of the alignment, which is at most 64.
  explicit ElementStore(size_t element_bytes);
  ~ElementStore();
  ElementStore(const ElementStore&) = delete;
  ElementStore& operator=(const ElementStore&) = delete;

  /// Maps address space for `n` elements in advance.
  void reserve(int64_t n);

  /// Allocates 1 to `n` consecutive elements and sets `n` to their number. Aborts if out of memory.
  char* append(int64_t* n);

  /// Frees `n` elements from `first` on, which are on one page.
  void release(const char* first, int64_t n);

  /// Bytes of all pages.
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
  std::vector<Page*> open_;  // pages with free space; the last one is being filled
  std::vector<Slab> slabs_;  // the last one still has space for new pages
  size_t slab_used_ = 0;
  size_t pages_ = 0;
};

}  // namespace detail
}  // namespace Grappa
