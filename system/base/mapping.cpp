#include "system/base/mapping.hpp"

#include "system/base/check.hpp"
#include "system/base/units.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <sstream>

#include <fcntl.h>
#include <link.h>
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace Grappa::detail {
namespace {

constexpr size_t kNoLimit = std::numeric_limits<size_t>::max();
constexpr int kPrivate = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

/// Maps readable and writable pages. On failure returns null and sets errno.
void* map(void* address, size_t bytes, int flags, int descriptor) {
  void* const mapped = ::mmap(address, bytes, PROT_READ | PROT_WRITE, flags, descriptor, 0);
  return mapped == MAP_FAILED ? nullptr : mapped;
}

/// Returns the text of errno after a failed mapping, with a remedy if one is known.
std::string reason() {
  const std::string cause = std::strerror(errno);
  if (errno != ENOMEM || address_space_left() == kNoLimit) return cause;
  return cause +
         "; the address space of this process is limited: raise the limit (ulimit -v, ulimit -d)";
}

/// Returns a number for each page of the range: 1 if the page is resident, 0 if not.
std::vector<unsigned char> residency(const void* address, size_t bytes) {
  std::vector<unsigned char> pages(div_up(bytes, page_bytes()));
  void* const first = const_cast<void*>(address);
  if (::mincore(first, pages.size() * page_bytes(), pages.data()) != 0)
    pages.assign(pages.size(), 0);
  for (unsigned char& page : pages) page &= 1;  // the other bits are reserved
  return pages;
}

std::string path_of(int pid, int descriptor) {
  return "/proc/" + std::to_string(pid) + "/fd/" + std::to_string(descriptor);
}

int open_memory(int pid, int descriptor) {
  return ::open(path_of(pid, descriptor).c_str(), O_RDWR | O_CLOEXEC);
}

size_t limit_in(const std::string& path) {
  std::ifstream file(path);
  size_t limit = 0;
  return file >> limit ? limit : kNoLimit;  // the file contains "max" if there is no limit
}

/// Maps enough memory to contain an aligned range, and unmaps the memory around that range. Returns
/// null if the kernel rejects the request.
void* try_map_aligned(size_t bytes, size_t alignment) {
  if (alignment == page_bytes()) return map(nullptr, bytes, kPrivate, -1);
  char* const mapped = static_cast<char*>(map(nullptr, bytes + alignment, kPrivate, -1));
  if (mapped == nullptr) return nullptr;
  const size_t before = -reinterpret_cast<uintptr_t>(mapped) % alignment;
  if (before > 0) unmap(mapped, before);
  if (alignment > before) unmap(mapped + before + bytes, alignment - before);
  return mapped + before;
}

}  // namespace

size_t page_bytes() {
  static const size_t bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

void* map_private(size_t bytes) { return map_private_aligned(bytes, page_bytes()); }

void* map_private_aligned(size_t bytes, size_t alignment) {
  void* const address = try_map_aligned(bytes, alignment);
  GRAPPA_CHECK(address != nullptr)
      << "the kernel refuses to map " << bytes << " bytes: " << reason();
  return address;
}

void* map_for_children(size_t bytes) {
  void* const address = map(nullptr, bytes, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1);
  GRAPPA_CHECK(address != nullptr)
      << "cannot map " << bytes << " bytes that processes share: " << reason();
  return address;
}

void* extend_private(void* address, size_t bytes, size_t new_bytes, size_t alignment) {
  void* const target = try_map_aligned(new_bytes, alignment);
  if (target == nullptr || address == nullptr) return target;
  constexpr int kMove = MREMAP_MAYMOVE | MREMAP_FIXED;
  if (::mremap(address, bytes, new_bytes, kMove, target) == target) return target;
  unmap(target, new_bytes);
  return nullptr;
}

void map_private_at(void* address, size_t bytes, const char* purpose) {
  GRAPPA_CHECK(map(address, bytes, kPrivate | MAP_FIXED_NOREPLACE, -1) == address)
      << "the kernel refuses to map " << bytes << " bytes at " << address << " for the " << purpose
      << ": " << reason() << "; every core needs this address range";
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
  void* const mapped = map(address, page_bytes(), kPrivate | MAP_FIXED_NOREPLACE, -1);
  if (mapped == address) return protect_guard(address, page_bytes());
  // Linux before 4.17 ignores MAP_FIXED_NOREPLACE and may map the page elsewhere.
  if (mapped != nullptr) unmap(mapped, page_bytes());
  return false;
}

bool is_mapped(const void* address) {
  unsigned char resident;
  const uintptr_t page = reinterpret_cast<uintptr_t>(address) / page_bytes() * page_bytes();
  return ::mincore(reinterpret_cast<void*>(page), 1, &resident) == 0;
}

void populate_pages(void* address, size_t bytes) {
#if !defined(MADV_POPULATE_WRITE)
  constexpr int MADV_POPULATE_WRITE = 23;  // from the headers of Linux 5.14
#endif
  ::madvise(address, bytes, MADV_POPULATE_WRITE);
}

void advise_huge_pages(void* address, size_t bytes) { ::madvise(address, bytes, MADV_HUGEPAGE); }

void give_back_pages(void* address, size_t bytes) { ::madvise(address, bytes, MADV_FREE); }

void remove_shared_pages(void* address, size_t bytes) { ::madvise(address, bytes, MADV_REMOVE); }

void discard_pages(void* address, size_t bytes) {
  GRAPPA_CHECK(::madvise(address, bytes, MADV_DONTNEED) == 0) << std::strerror(errno);
}

size_t resident_bytes(const void* address, size_t bytes) {
  const size_t chunk_bytes = 65536 * page_bytes();  // limits the size of the buffer
  const char* const first = static_cast<const char*>(address);
  size_t resident = 0;
  for (size_t done = 0; done < bytes; done += chunk_bytes) {
    const auto pages = residency(first + done, std::min(bytes - done, chunk_bytes));
    resident += static_cast<size_t>(std::count(pages.begin(), pages.end(), 1));
  }
  return resident * page_bytes();
}

const char* first_resident(const void* address, size_t bytes) {
  const std::vector<unsigned char> pages = residency(address, bytes);
  const auto first = std::find(pages.begin(), pages.end(), 1);
  return static_cast<const char*>(address) +
         static_cast<size_t>(first - pages.begin()) * page_bytes();
}

int open_memory_file() {
  const int descriptor = ::memfd_create("grappa", MFD_CLOEXEC);
  GRAPPA_CHECK(descriptor >= 0) << "memfd_create: " << std::strerror(errno);
  return descriptor;
}

SharedMemory create_shared_memory(size_t bytes) {
  const int descriptor = open_memory_file();
  GRAPPA_CHECK(::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0)
      << "cannot create shared memory of " << bytes << " bytes: " << std::strerror(errno);
  void* const address = try_map_shared(descriptor, bytes);
  GRAPPA_CHECK(address != nullptr)
      << "the kernel refuses to map " << bytes << " shared bytes: " << reason();
  return {address, bytes, descriptor};
}

void close_shared_memory(SharedMemory* memory) {
  if (memory->descriptor >= 0) ::close(memory->descriptor);
  memory->descriptor = -1;
}

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

void attach_shared_memory_at(void* address, int pid, int descriptor, size_t bytes,
                             const char* purpose) {
  const int file = open_memory(pid, descriptor);
  GRAPPA_CHECK(file >= 0) << "cannot open the memory of process " << pid << " for the " << purpose
                          << " through " << path_of(pid, descriptor) << ": "
                          << std::strerror(errno);
  constexpr int kFlags = MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  GRAPPA_CHECK(map(address, bytes, kFlags, file) == address)
      << "the kernel refuses to map " << bytes << " shared bytes at " << address << " for the "
      << purpose << ": " << reason() << "; every core of a machine needs this address range";
  ::close(file);
}

void* try_attach_shared_memory(int pid, int descriptor, size_t bytes) {
  const int file = open_memory(pid, descriptor);
  if (file < 0) return nullptr;
  void* const address = try_map_shared(file, bytes);
  const int cause = errno;
  ::close(file);
  errno = cause;
  return address;
}

void* try_map_shared(int descriptor, size_t bytes) {
  return map(nullptr, bytes, MAP_SHARED, descriptor);
}

size_t control_group_limit(const std::string& membership, const std::string& root) {
  size_t limit = kNoLimit;
  std::ifstream groups(membership);
  for (std::string line, number, controllers, path; std::getline(groups, line);) {
    std::istringstream parts(line);  // number:controllers:/path
    std::getline(std::getline(parts, number, ':'), controllers, ':');
    if (!std::getline(parts, path)) continue;
    const bool second_version = controllers.empty();
    if (!second_version && (',' + controllers + ',').find(",memory,") == std::string::npos)
      continue;
    const std::string folder = second_version ? root : root + "/memory";
    const char* const name = second_version ? "/memory.max" : "/memory.limit_in_bytes";
    // In a container, `path` may name a group that exists only on the host. Read all parents, too.
    for (;; path.erase(path.rfind('/'))) {
      limit = std::min(limit, limit_in(folder + path + name));
      if (path.find('/') == std::string::npos) break;
    }
  }
  return limit;
}

static size_t pretended_bytes = 0;

void pretend_memory(size_t physical_bytes) { pretended_bytes = physical_bytes; }

size_t physical_memory_bytes() {
  if (pretended_bytes != 0) return pretended_bytes;
  const size_t machine = static_cast<size_t>(::sysconf(_SC_PHYS_PAGES)) * page_bytes();
  return std::min(machine, control_group_limit("/proc/self/cgroup", "/sys/fs/cgroup"));
}

size_t address_space_left() {
  if (pretended_bytes != 0) return kNoLimit;
  size_t pages[6] = {};  // [0]: mapped pages, [5]: private writable pages
  std::ifstream file("/proc/self/statm");
  for (size_t& number : pages) file >> number;
  const auto left = [](__rlimit_resource resource, size_t used_pages) {
    rlimit limit;
    if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return kNoLimit;
    const size_t used = used_pages * page_bytes();
    return limit.rlim_cur > used ? static_cast<size_t>(limit.rlim_cur) - used : 0;
  };
  return std::min(left(RLIMIT_AS, pages[0]), left(RLIMIT_DATA, pages[5]));
}

/// Returns the bytes that a file of /proc states in KiB after `name`, or 0.
static size_t bytes_of(const char* name, const std::string& path) {
  std::ifstream file(path);
  size_t number = 0;
  for (std::string word; file >> word;) {
    if (word == name && file >> number) return number * KiB;
  }
  return 0;
}

ProcessMemory process_memory(const std::string& status, const std::string& shares) {
  const auto blocks = ::mallinfo2();
  return {bytes_of("VmRSS:", status), bytes_of("VmHWM:", status), bytes_of("Pss:", shares),
          blocks.uordblks + blocks.hblkhd};
}

std::vector<FixedFile> fixed_files() {
  std::vector<FixedFile> result;
  const auto add = [](dl_phdr_info* file, size_t, void* found) {
    auto& files = *static_cast<std::vector<FixedFile>*>(found);
    uintptr_t begin = UINTPTR_MAX, end = 0;
    for (int k = 0; k < file->dlpi_phnum; ++k) {
      const auto& part = file->dlpi_phdr[k];
      if (part.p_type != PT_LOAD) continue;
      begin = std::min<uintptr_t>(begin, part.p_vaddr);
      end = std::max<uintptr_t>(end, part.p_vaddr + part.p_memsz);
    }
    const bool program = files.empty();  // the first call is for the program
    if (program || (begin != 0 && begin < end && std::strchr(file->dlpi_name, '/'))) {
      const char* const path = program ? "/proc/self/exe" : file->dlpi_name;
      files.push_back(FixedFile{file->dlpi_addr + begin, file->dlpi_addr + end, path});
    }
    return 0;
  };
  ::dl_iterate_phdr(add, &result);
  return result;
}

}  // namespace Grappa::detail
