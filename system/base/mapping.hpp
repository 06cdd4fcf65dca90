#pragma once

/// Memory from the kernel: private and shared mappings, guard pages, limits, and use. If the kernel
/// rejects a request, a function aborts the job, unless its comment states another result.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Grappa { namespace detail {

constexpr size_t kHugePageBytes = size_t{2} << 20;
size_t page_bytes();

/// These functions map readable and writable zero pages. map_private() maps at any address,
/// map_private_aligned() at a multiple of `alignment`, a multiple of the page size, and the last
/// function at exactly `address`. `purpose` is for the error message.
void* map_private(size_t bytes);

/// Maps zero pages that this process shares with the children that it forks later.
void* map_for_children(size_t bytes);
void* map_private_aligned(size_t bytes, size_t alignment);
void map_private_at(void* address, size_t bytes, const char* purpose);

/// Moves a private mapping of `bytes` bytes to a multiple of `alignment`, and extends it by zero
/// pages to `new_bytes`. The cost does not depend on the contents, because only page tables move. A
/// null address stands for an empty mapping. Returns null if the kernel rejects the request.
void* extend_private(void* address, size_t bytes, size_t new_bytes, size_t alignment);

void unmap(void* address, size_t bytes);

/// Each makes `bytes` at `address` inaccessible. install_guard() needs no additional mapping, and
/// returns false before Linux 6.13. protect_guard() needs one or two mappings, and returns false if
/// none is left: a process may have about 65,000 mappings.
bool install_guard(void* address, size_t bytes);
bool protect_guard(void* address, size_t bytes);

/// Maps an inaccessible page at the page-aligned `address`. Returns false if the page is not free.
bool block_page(void* address);

bool is_mapped(const void* address);

/// advise_huge_pages() is a hint that huge pages are useful here. give_back_pages() is a hint that
/// the contents of the pages are unused (MADV_FREE; Linux counts such pages as LazyFree). Unused
/// pages stay accessible and hold the old bytes or zeros. The kernel reclaims them only when memory
/// is short. Until then, a write has no extra cost.
void advise_huge_pages(void* address, size_t bytes);
void populate_pages(void* address, size_t bytes);  // a hint: makes private pages resident
void give_back_pages(void* address, size_t bytes);

/// Frees the pages immediately (MADV_DONTNEED). Later reads return zeros.
void discard_pages(void* address, size_t bytes);

/// Returns the number of bytes in resident pages of the page-aligned range.
size_t resident_bytes(const void* address, size_t bytes);

/// Returns the first resident page, or the end of the range. The call makes no page resident.
const char* first_resident(const void* address, size_t bytes);

/// Memory without a name that other processes of the same user on this machine can map. The kernel
/// frees the memory when the last process that maps it has ended, even if a signal killed it.
struct SharedMemory {
  void* address = nullptr;
  size_t bytes = 0;
  int descriptor = -1;
};

int open_memory_file();  // an empty file without a name
SharedMemory create_shared_memory(size_t bytes);
void close_shared_memory(SharedMemory* memory);  // existing mappings stay valid

/// These functions map the shared memory of process `pid`, which must keep `descriptor` open. If
/// the kernel rejects the request, try_attach_shared_memory() returns null and sets errno. The last
/// function maps at exactly `address` and reserves no memory; `purpose` is for the error message.
void* attach_shared_memory(int pid, int descriptor, size_t bytes);
void* try_attach_shared_memory(int pid, int descriptor, size_t bytes);
void attach_shared_memory_at(void* address, int pid, int descriptor, size_t bytes,
                             const char* purpose);

/// Maps the first `bytes` bytes of an open file. On failure returns null and sets errno.
void* try_map_shared(int descriptor, size_t bytes);

/// A hint: frees pages of shared memory for all processes that map them. Later reads return zeros.
void remove_shared_pages(void* address, size_t bytes);

/// Each returns a limit in bytes, or the maximum of size_t if there is no limit. The first returns
/// the lower of the physical memory and the limit of the control groups. The second returns the
/// private memory that may still be mapped (ulimit -v and -d). The third returns the lowest limit
/// of the control groups in `membership` (a file like /proc/self/cgroup) and of their parents. The
/// files of the groups (version 1 or 2) are below `root`.
size_t physical_memory_bytes();
size_t address_space_left();

/// From now on, the first two return this size and no limit, whatever this machine has.
void pretend_memory(size_t physical_bytes);
size_t control_group_limit(const std::string& membership, const std::string& root);

struct ProcessMemory {        // 0: the file does not contain the value
  size_t resident_bytes = 0;  // current resident set; includes all shared pages
  size_t peak_bytes = 0;      // maximum resident set so far
  size_t own_bytes = 0;       // resident set, with only a share of each shared page
  size_t malloc_bytes = 0;    // of the blocks from malloc in use
};

ProcessMemory process_memory(const std::string& status = "/proc/self/status",
                             const std::string& shares = "/proc/self/smaps_rollup");

/// A file with code and file-scope objects, and its address range in this process.
struct FixedFile {
  uintptr_t begin;
  uintptr_t end;
  std::string path;

  bool contains(const void* object) const {
    const uintptr_t address = reinterpret_cast<uintptr_t>(object);
    return begin <= address && address < end;
  }
};

/// Returns the files that may be mapped at the same addresses in every process, in load order: the
/// program, and the shared libraries that are linked at a fixed address (cmake/GrappaModule.cmake).
/// The kernel may still choose another address, so the caller must compare those of all cores.
std::vector<FixedFile> fixed_files();

}}  // namespace Grappa::detail
