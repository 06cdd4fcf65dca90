#include "system/base/mapping.hpp"

#include "system/base/check.hpp"
#include "system/base/memory_limits.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace Grappa::detail {

size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

namespace {

/// Returns the reason for a failed mapping, based on errno, with a remedy if one is known.
std::string reason() {
  const int cause = errno;
  std::string sentence = std::strerror(cause);
  if (cause == ENOMEM && address_space_left() != std::numeric_limits<size_t>::max()) {
    sentence +=
        "; the address space of this process is limited: raise the limit (ulimit -v, ulimit -d)";
  }
  return sentence;
}

}  // namespace

void* map_private(size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  GRAPPA_CHECK(address != MAP_FAILED)
      << "the kernel refuses to map " << bytes << " bytes: " << reason();
  return address;
}

/// Maps enough memory to contain an aligned range, and unmaps the memory around that range.
void* map_private_aligned(size_t bytes, size_t alignment) {
  char* mapped = static_cast<char*>(map_private(bytes + alignment));
  const size_t before = -reinterpret_cast<uintptr_t>(mapped) % alignment;
  if (before > 0) unmap(mapped, before);
  if (alignment > before) unmap(mapped + before + bytes, alignment - before);
  return mapped + before;
}

void map_private_at(void* address, size_t bytes, const char* purpose) {
  void* mapped = ::mmap(address, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  GRAPPA_CHECK(mapped == address) << "the kernel refuses to map " << bytes << " bytes at "
                                  << address << " for the " << purpose << ": " << reason()
                                  << "; every core needs this address range";
}

void unmap(void* address, size_t bytes) {
  GRAPPA_CHECK(::munmap(address, bytes) == 0) << std::strerror(errno);
}

bool install_guard(void* address, size_t bytes) {
#if !defined(MADV_GUARD_INSTALL)
  constexpr int MADV_GUARD_INSTALL = 102;  // from the headers of Linux 6.13
#endif
  return ::madvise(address, bytes, MADV_GUARD_INSTALL) == 0;
}

bool protect_guard(void* address, size_t bytes) {
  return ::mprotect(address, bytes, PROT_NONE) == 0;
}

bool block_page(void* address) {
  const void* const mapped =
      ::mmap(address, page_bytes(), PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (mapped == address) return true;
  // Linux before 4.17 ignores MAP_FIXED_NOREPLACE and may map the page elsewhere.
  if (mapped != MAP_FAILED) ::munmap(const_cast<void*>(mapped), page_bytes());
  return false;
}

bool is_mapped(const void* address) {
  unsigned char resident;
  const uintptr_t page = reinterpret_cast<uintptr_t>(address) / page_bytes() * page_bytes();
  return ::mincore(reinterpret_cast<void*>(page), 1, &resident) == 0;
}

void advise_huge_pages(void* address, size_t bytes) {
  ::madvise(address, bytes, MADV_HUGEPAGE);  // a hint: fails on kernels without huge pages
}

void give_back_pages(void* address, size_t bytes) {
  ::madvise(address, bytes, MADV_FREE);  // a hint: no effect on kernels without MADV_FREE
}

void discard_pages(void* address, size_t bytes) {
  GRAPPA_CHECK(::madvise(address, bytes, MADV_DONTNEED) == 0) << std::strerror(errno);
}

void reclaim_pages([[maybe_unused]] void* address, [[maybe_unused]] size_t bytes) {
#ifdef MADV_PAGEOUT
  ::madvise(address, bytes, MADV_PAGEOUT);
#endif
}

namespace {

/// Calls `visit(page)` for each resident page, counted from 0, until `visit` returns false.
template <class F>
void for_each_resident(const void* address, size_t bytes, F visit) {
  constexpr size_t kPagesAtATime = 65536;  // limits the buffer: mappings may be huge
  const size_t pages = (bytes + page_bytes() - 1) / page_bytes();
  std::vector<unsigned char> in_memory(std::min(pages, kPagesAtATime));
  char* const first = static_cast<char*>(const_cast<void*>(address));
  for (size_t done = 0; done < pages; done += in_memory.size()) {
    const size_t count = std::min(pages - done, in_memory.size());
    if (::mincore(first + done * page_bytes(), count * page_bytes(), in_memory.data()) != 0) return;
    for (size_t k = 0; k < count; ++k) {
      if ((in_memory[k] & 1) != 0 && !visit(done + k)) return;
    }
  }
}

}  // namespace

size_t resident_bytes(const void* address, size_t bytes) {
  size_t resident = 0;
  for_each_resident(address, bytes, [&resident](size_t) {
    ++resident;
    return true;
  });
  return resident * page_bytes();
}

const char* first_resident(const void* address, size_t bytes) {
  const char* const begin = static_cast<const char*>(address);
  const char* lowest = begin + (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
  for_each_resident(address, bytes, [&lowest, begin](size_t page) {
    lowest = begin + page * page_bytes();
    return false;
  });
  return lowest;
}

SharedMemory create_shared_memory(size_t bytes) {
  SharedMemory memory;
  memory.bytes = bytes;
  memory.descriptor = ::memfd_create("grappa", MFD_CLOEXEC);
  GRAPPA_CHECK(memory.descriptor >= 0) << "memfd_create: " << std::strerror(errno);
  GRAPPA_CHECK(::ftruncate(memory.descriptor, static_cast<off_t>(bytes)) == 0)
      << "cannot create shared memory of " << bytes << " bytes: " << std::strerror(errno);
  memory.address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor, 0);
  GRAPPA_CHECK(memory.address != MAP_FAILED)
      << "the kernel refuses to map " << bytes << " shared bytes: " << reason();
  return memory;
}

namespace {

std::string path_of(int pid, int descriptor) {
  return "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor);
}

}  // namespace

void* attach_shared_memory(int pid, int descriptor, size_t bytes) {
  void* address = try_attach_shared_memory(pid, descriptor, bytes);
  const bool no_room = address == nullptr && errno == ENOMEM;
  GRAPPA_CHECK(!no_room) << "the kernel refuses to map " << bytes
                         << " bytes of another core: " << reason();
  GRAPPA_CHECK(address != nullptr)
      << "cannot map " << bytes << " bytes of the message buffers of process " << pid << " through "
      << path_of(pid, descriptor) << ": " << std::strerror(errno)
      << "; run all cores of a machine as one user in one PID namespace, or use "
         "--cores_per_locale=1 to send messages by MPI";
  return address;
}

void* try_attach_shared_memory(int pid, int descriptor, size_t bytes) {
  const int fd = ::open(path_of(pid, descriptor).c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  void* address = try_map_shared(fd, bytes);
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return address;
}

void* try_map_shared(int descriptor, size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  return address == MAP_FAILED ? nullptr : address;
}

void attach_shared_memory_at(void* address, int pid, int descriptor, size_t bytes,
                             const char* purpose) {
  const int fd = ::open(path_of(pid, descriptor).c_str(), O_RDWR | O_CLOEXEC);
  GRAPPA_CHECK(fd >= 0) << "cannot open the memory of process " << pid << " for the " << purpose
                        << " through " << path_of(pid, descriptor) << ": " << std::strerror(errno);
  void* mapped = ::mmap(address, bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE, fd, 0);
  GRAPPA_CHECK(mapped == address) << "the kernel refuses to map " << bytes << " shared bytes at "
                                  << address << " for the " << purpose << ": " << reason()
                                  << "; every core of a machine needs this address range";
  ::close(fd);
}

void remove_shared_pages(void* address, size_t bytes) {
  ::madvise(address, bytes, MADV_REMOVE);  // a hint: no effect on kernels without MADV_REMOVE
}

void close_shared_memory(SharedMemory* memory) {
  if (memory->descriptor >= 0) ::close(memory->descriptor);
  memory->descriptor = -1;
}

}  // namespace Grappa::detail
