#pragma once

/// Memory from the kernel: private mappings, mappings that other processes can attach, guard pages.
///
/// The kernel allocates a page at its first access, so an untouched mapping uses address space
/// only.

#include <cstddef>

namespace Grappa {
namespace detail {

size_t page_bytes();

/// Maps readable and writable zero pages at any address. Aborts the job if the kernel refuses.
void* map_private(size_t bytes);

/// map_private() at a multiple of `alignment`, which must be a multiple of the page size.
void* map_private_aligned(size_t bytes, size_t alignment);

/// map_private() at exactly `address`. If the range is not free, aborts the job and reports
/// `purpose`.
void map_private_at(void* address, size_t bytes, const char* purpose);

void unmap(void* address, size_t bytes);

/// Makes `bytes` at `address` inaccessible without an additional mapping (Linux 6.13 and later).
/// Returns false if the kernel does not support this.
bool install_guard(void* address, size_t bytes);

/// Makes `bytes` at `address` inaccessible, at the cost of one or two additional mappings. Linux
/// allows a process about 65,000 mappings. Returns false if none is left.
bool protect_guard(void* address, size_t bytes);

/// Maps an inaccessible page at the page-aligned `address`. Returns false if the page is not free.
bool block_page(void* address);

bool is_mapped(const void* address);

void advise_huge_pages(void* address, size_t bytes);

/// Marks the contents of the pages as unused (MADV_FREE; Linux counts such pages as LazyFree). The
/// kernel reclaims the pages only when memory is short. The pages stay accessible: they hold the
/// old bytes or zeros, and a write to a page that is not reclaimed has no extra cost.
void give_back_pages(void* address, size_t bytes);

/// Frees the pages immediately (MADV_DONTNEED). Later reads return zeros.
void discard_pages(void* address, size_t bytes);

/// Makes the kernel reclaim pages now: pages passed to give_back_pages(), and pages that fit in
/// swap space. For tests. No effect before Linux 5.4.
void reclaim_pages(void* address, size_t bytes);

constexpr size_t kHugePageBytes = size_t{2} << 20;

/// Returns the number of bytes in resident pages of the range. `address` must be page-aligned.
size_t resident_bytes(const void* address, size_t bytes);

/// Returns the first resident page in the range, or the end of the last page if no page is
/// resident. The call itself makes no page resident.
const char* first_resident(const void* address, size_t bytes);

/// Memory that other processes of the same user on this machine can map. The memory has no name in
/// a file system. The kernel frees it when the last process that maps it ends, even by a signal.
struct SharedMemory {
  void* address = nullptr;
  size_t bytes = 0;
  int descriptor = -1;
};

SharedMemory create_shared_memory(size_t bytes);

/// Maps the shared memory of process `pid`, which must keep `descriptor` open. Aborts the job and
/// reports the reason if the access is denied.
void* attach_shared_memory(int pid, int descriptor, size_t bytes);

/// Like attach_shared_memory(), but on failure returns null and sets errno.
void* try_attach_shared_memory(int pid, int descriptor, size_t bytes);

/// Maps the first `bytes` bytes of an open file as shared memory. On failure returns null and sets
/// errno.
void* try_map_shared(int descriptor, size_t bytes);

/// Like attach_shared_memory(), but maps the memory at exactly `address`, and reserves no memory
/// for pages that are not accessed. If the range is not free, aborts the job and reports `purpose`.
void attach_shared_memory_at(void* address, int pid, int descriptor, size_t bytes,
                             const char* purpose);

/// Frees pages of shared memory for all processes that map them. Later reads return zeros.
void remove_shared_pages(void* address, size_t bytes);

/// Closes the descriptor. Existing mappings stay valid.
void close_shared_memory(SharedMemory* memory);

}  // namespace detail
}  // namespace Grappa
