#include "system/base/mapping.hpp"

#include "system/base/check.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

namespace Grappa {

size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

void* map_private(size_t bytes) {
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  GRAPPA_CHECK(address != MAP_FAILED)
      << "the kernel refuses to map " << bytes << " bytes: " << std::strerror(errno);
  return address;
}

/// Maps so much that the aligned part is in it, and gives back what is around that.
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
                                  << address << " for the " << purpose << ": "
                                  << std::strerror(errno) << "; every core needs it at this place";
}

void unmap(void* address, size_t bytes) {
  GRAPPA_CHECK(::munmap(address, bytes) == 0) << std::strerror(errno);
}

bool install_guard(void* address, size_t bytes) {
#if !defined(MADV_GUARD_INSTALL)
  constexpr int MADV_GUARD_INSTALL = 102;  // as in the headers of Linux 6.13
#endif
  return ::madvise(address, bytes, MADV_GUARD_INSTALL) == 0;
}

bool protect_guard(void* address, size_t bytes) {
  return ::mprotect(address, bytes, PROT_NONE) == 0;
}

void advise_huge_pages(void* address, size_t bytes) {
  ::madvise(address, bytes, MADV_HUGEPAGE);  // a hint: kernels without huge pages refuse it
}

void give_back_pages(void* address, size_t bytes) {
  ::madvise(address, bytes, MADV_FREE);  // a hint: pages stay as they are where it is not known
}

void discard_pages(void* address, size_t bytes) {
  GRAPPA_CHECK(::madvise(address, bytes, MADV_DONTNEED) == 0) << std::strerror(errno);
}

void reclaim_pages([[maybe_unused]] void* address, [[maybe_unused]] size_t bytes) {
#ifdef MADV_PAGEOUT
  ::madvise(address, bytes, MADV_PAGEOUT);
#endif
}

size_t resident_bytes(const void* address, size_t bytes) {
  constexpr size_t kPagesAtATime = 64 * 1024;  // mappings may be far larger than what lies in them
  const size_t pages = (bytes + page_bytes() - 1) / page_bytes();
  std::vector<unsigned char> in_memory(std::min(pages, kPagesAtATime));
  char* const first = static_cast<char*>(const_cast<void*>(address));
  size_t resident = 0;
  for (size_t done = 0; done < pages; done += in_memory.size()) {
    const size_t count = std::min(pages - done, in_memory.size());
    if (::mincore(first + done * page_bytes(), count * page_bytes(), in_memory.data()) != 0) break;
    for (size_t k = 0; k < count; ++k) resident += in_memory[k] & 1;
  }
  return resident * page_bytes();
}

SharedMemory create_shared_memory(size_t bytes) {
  SharedMemory memory;
  memory.bytes = bytes;
  memory.descriptor = ::memfd_create("grappa", MFD_CLOEXEC);
  GRAPPA_CHECK(memory.descriptor >= 0) << "memfd_create: " << std::strerror(errno);
  GRAPPA_CHECK(::ftruncate(memory.descriptor, static_cast<off_t>(bytes)) == 0)
      << "no shared memory of " << bytes << " bytes: " << std::strerror(errno);
  memory.address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.descriptor, 0);
  GRAPPA_CHECK(memory.address != MAP_FAILED)
      << "the kernel refuses to map " << bytes << " shared bytes: " << std::strerror(errno);
  return memory;
}

namespace {

std::string path_of(int pid, int descriptor) {
  return "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor);
}

}  // namespace

void* attach_shared_memory(int pid, int descriptor, size_t bytes) {
  void* address = try_attach_shared_memory(pid, descriptor, bytes);
  GRAPPA_CHECK(address != nullptr)
      << "cannot map " << bytes << " bytes of the message buffers of process " << pid << " through "
      << path_of(pid, descriptor) << ": " << std::strerror(errno)
      << "; run all cores of a machine as one user in one PID namespace, or give "
         "--cores_per_locale=1 to send through MPI";
  return address;
}

void* try_attach_shared_memory(int pid, int descriptor, size_t bytes) {
  const int fd = ::open(path_of(pid, descriptor).c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return nullptr;
  void* address = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  const int reason = errno;
  ::close(fd);
  errno = reason;
  return address == MAP_FAILED ? nullptr : address;
}

void close_shared_memory(SharedMemory* memory) {
  if (memory->descriptor >= 0) ::close(memory->descriptor);
  memory->descriptor = -1;
}

}  // namespace Grappa
