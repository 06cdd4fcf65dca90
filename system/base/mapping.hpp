#pragma once

/// Memory from the kernel: private mappings, mappings that other processes can attach, guard pages.
///
/// Pages are taken when first touched; a mapping of any size costs address space only.

#include <cstddef>

namespace Grappa {
namespace detail {

size_t page_bytes();

/// Readable and writable zero pages, nowhere in particular. Ends the job if the kernel refuses.
void* map_private(size_t bytes);

/// The same at a multiple of `alignment`, which is a multiple of the size of a page.
void* map_private_aligned(size_t bytes, size_t alignment);

/// The same at exactly `address`. Ends the job, naming `purpose`, if something is mapped there.
void map_private_at(void* address, size_t bytes, const char* purpose);

void unmap(void* address, size_t bytes);

/// Makes `bytes` at `address` inaccessible at no cost but theirs (Linux 6.13 and later). False if
/// the kernel cannot.
bool install_guard(void* address, size_t bytes);

/// Makes `bytes` at `address` inaccessible, at the cost of one mapping or two: Linux allows a
/// process some 65,000. False if the kernel has none left.
bool protect_guard(void* address, size_t bytes);

/// Maps a page that nobody can access at `address`, which is that of a page. False if something is
/// mapped there.
bool block_page(void* address);

/// True if the page that contains `address` is mapped.
bool is_mapped(const void* address);

/// Asks for huge pages, where the kernel has them.
void advise_huge_pages(void* address, size_t bytes);

/// Tells the kernel that nobody needs what the pages hold. It takes them when memory gets short,
/// and not before: whoever writes to them again until then pays nothing, and never finds an error,
/// but old bytes or zeros. (MADV_FREE; Linux counts such pages as LazyFree.)
void give_back_pages(void* address, size_t bytes);

/// Gives the pages back at once: whoever reads them again finds zeros. (MADV_DONTNEED.)
void discard_pages(void* address, size_t bytes);

/// Has the kernel take now what it may take of these pages: what was given back, and what fits in
/// swap space. For tests; a kernel that does not know how to (before Linux 5.4) takes nothing.
void reclaim_pages(void* address, size_t bytes);

/// The size of a huge page.
constexpr size_t kHugePageBytes = size_t{2} << 20;

/// Bytes of the pages at `address` that lie in memory; `address` is that of a page.
size_t resident_bytes(const void* address, size_t bytes);

/// The lowest of these pages that lies in memory; the end of the last one if none does. Nothing is
/// read, so none is taken.
const char* first_resident(const void* address, size_t bytes);

/// Memory that other processes of the same user on this machine can map. It has no name in any file
/// system and ends with the last process that maps it, however that process ends.
struct SharedMemory {
  void* address = nullptr;
  size_t bytes = 0;
  int descriptor = -1;
};

SharedMemory create_shared_memory(size_t bytes);

/// Maps memory that process `pid` has created with `descriptor`, while that process keeps it open.
/// Ends the job with the reason if that is not allowed.
void* attach_shared_memory(int pid, int descriptor, size_t bytes);

/// The same, but returns null if that is not allowed, and leaves the reason in errno.
void* try_attach_shared_memory(int pid, int descriptor, size_t bytes);

/// Maps the first `bytes` bytes of an open file for all who map it. Null, with the reason in errno,
/// if the kernel refuses.
void* try_map_shared(int descriptor, size_t bytes);

/// Maps it at exactly `address`, as map_private_at() does; without more of the kernel's memory than
/// is touched.
void attach_shared_memory_at(void* address, int pid, int descriptor, size_t bytes,
                             const char* purpose);

/// Gives pages of shared memory back, for all that map them: they hold zeros from then on.
void remove_shared_pages(void* address, size_t bytes);

/// Closes the descriptor; mappings stay.
void close_shared_memory(SharedMemory* memory);

}  // namespace detail
}  // namespace Grappa
