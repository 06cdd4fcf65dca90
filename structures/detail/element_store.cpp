#include "structures/detail/element_store.hpp"

#include "system/base/check.hpp"
#include "system/base/mapping.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cstdlib>
#include <limits>
#include <new>

namespace Grappa::detail {
namespace {

constexpr size_t kHeaderBytes = 64;  // per page; a multiple of each allowed alignment
constexpr size_t kPageBytes = 16 * KiB;
constexpr size_t kFirstSlabBytes = 64 * KiB;

size_t page_bytes_for(size_t element_bytes) {
  size_t bytes = kPageBytes;
  while (bytes < kHeaderBytes + 8 * element_bytes) bytes *= 2;
  return bytes;
}

}  // namespace

void* allocate_local(size_t n, size_t bytes, size_t alignment, const char* owner) {
  constexpr size_t kMostBytes = std::numeric_limits<std::ptrdiff_t>::max();
  void* place = nullptr;
  const bool done = n <= kMostBytes / bytes &&
                    posix_memalign(&place, std::max(alignment, sizeof(void*)), n * bytes) == 0;
  GRAPPA_CHECK(done) << owner << ": this core has no memory for " << n << " more elements of "
                     << bytes << " bytes: run the job with more cores, or use fewer elements";
  return place;
}

CellArray::~CellArray() {
  if (cells_ != nullptr) unmap(cells_, bytes_);
}

// The size is compared with the physical memory, since the kernel overcommits memory and later
// kills the process.
void* CellArray::extend(size_t count, size_t cell_bytes, size_t elements) {
  const bool possible = count <= physical_memory_bytes() / cell_bytes;
  const size_t least = possible ? count * cell_bytes : 0;
  const size_t unit = least < kHugePageBytes ? page_bytes() : kHugePageBytes;
  const size_t bytes = align_up(least, unit);
  void* const cells = possible ? extend_private(cells_, bytes_, bytes, unit) : nullptr;
  GRAPPA_CHECK(cells != nullptr)
      << "no memory for " << count << " cells of " << cell_bytes
      << " bytes for this core's part of a global set or map, which has " << elements
      << " elements: use more nodes, fewer or smaller elements, or a smaller capacity hint; if "
         "there are far more cells than elements, use a better hash function";
  cells_ = cells;
  bytes_ = bytes;
  if (bytes_ >= kHugePageBytes) advise_huge_pages(cells_, bytes_);
  populated_ = bytes_;
  count_ = bytes / cell_bytes;
  return cells;
}

void CellArray::populate(size_t offset) {
  if (offset >= populated_) return;
  // An insert waits for a step. On some hosts, a small page takes 30 us, and a huge page 4 ms.
  const size_t step = bytes_ < kHugePageBytes ? 16 * KiB : kHugePageBytes;
  const size_t begin = offset / step * step;
  populate_pages(static_cast<char*>(cells_) + begin, populated_ - begin);
  populated_ = begin;
}

struct ElementStore::Page {  // the header of a page
  int64_t used;
  int64_t live;
  bool open;  // true if the page is in the list of open pages

  char* elements() { return reinterpret_cast<char*>(this) + kHeaderBytes; }
};

ElementStore::ElementStore(size_t element_bytes)
    : element_bytes_(element_bytes),
      page_bytes_(page_bytes_for(element_bytes)),
      page_elements_(static_cast<int64_t>((page_bytes_ - kHeaderBytes) / element_bytes)) {}

ElementStore::~ElementStore() {
  for (const Slab& slab : slabs_) unmap(slab.address, slab.bytes);
}

void ElementStore::add_slab(size_t bytes) {
  void* address = map_private_aligned(
      bytes, std::max(page_bytes_, bytes >= kHugePageBytes ? kHugePageBytes : 0));
  if (bytes >= kHugePageBytes) advise_huge_pages(address, bytes);
  slabs_.push_back({static_cast<char*>(address), bytes});
  slab_used_ = 0;
}

void ElementStore::reserve(int64_t n) {
  const size_t pages = static_cast<size_t>((n + page_elements_ - 1) / page_elements_);
  if (pages != 0) add_slab(align_up(pages * page_bytes_, kFirstSlabBytes));
}

// Each slab is twice as large as the one before, up to four huge pages. So small structures take
// little memory, and large structures cause few page faults.
void ElementStore::add_page() {
  if (slabs_.empty() || slab_used_ == slabs_.back().bytes) {
    const size_t doubled = slabs_.empty() ? kFirstSlabBytes : 2 * slabs_.back().bytes;
    add_slab(std::max(page_bytes_, std::min(doubled, 4 * kHugePageBytes)));
  }
  open_.push_back(new (slabs_.back().address + slab_used_) Page{0, 0, true});
  slab_used_ += page_bytes_;
  ++pages_;
}

char* ElementStore::append(int64_t* n) {
  if (open_.empty()) add_page();
  Page* const page = open_.back();
  char* const place = page->elements() + static_cast<size_t>(page->used) * element_bytes_;
  *n = std::min(*n, page_elements_ - page->used);
  page->used += *n;
  page->live += *n;
  if (page->used == page_elements_) {
    page->open = false;
    open_.pop_back();
  }
  return place;
}

void ElementStore::release(const char* first, int64_t n) {
  Page* const page =
      reinterpret_cast<Page*>(reinterpret_cast<uintptr_t>(first) & ~(page_bytes_ - 1));
  const int64_t begin = (first - page->elements()) / static_cast<int64_t>(element_bytes_);
  page->live -= n;
  GRAPPA_DCHECK(page->live >= 0 && begin + n <= page->used);
  if (page->live == 0) {
    page->used = 0;
  } else if (begin + n == page->used) {
    page->used = begin;
  }
  if (!page->open && page->used <= page_elements_ / 2) {
    page->open = true;
    open_.push_back(page);
    if (open_.size() > 1) std::swap(open_.back(), open_[open_.size() - 2]);  // the last is filled
  }
}

}  // namespace Grappa::detail
