#include "system/base/fixed_address.hpp"

#include <algorithm>
#include <cstring>

#include <link.h>

namespace Grappa::detail {
namespace {

/// Adds a loaded file that is linked at a fixed address. The first call is for the program.
int add_file(dl_phdr_info* file, size_t, void* files_found) {
  auto& files = *static_cast<std::vector<FixedFile>*>(files_found);
  uintptr_t begin = UINTPTR_MAX, end = 0;
  for (int k = 0; k < file->dlpi_phnum; ++k) {
    const auto& part = file->dlpi_phdr[k];
    if (part.p_type != PT_LOAD) continue;
    begin = std::min<uintptr_t>(begin, part.p_vaddr);
    end = std::max<uintptr_t>(end, part.p_vaddr + part.p_memsz);
  }
  if (files.empty()) {
    files.push_back(FixedFile{file->dlpi_addr + begin, file->dlpi_addr + end, "/proc/self/exe"});
  } else if (begin != 0 && begin < end && std::strchr(file->dlpi_name, '/')) {
    files.push_back(FixedFile{file->dlpi_addr + begin, file->dlpi_addr + end, file->dlpi_name});
  }
  return 0;
}

}  // namespace

std::vector<FixedFile> fixed_files() {
  std::vector<FixedFile> files;
  ::dl_iterate_phdr(&add_file, &files);
  return files;
}

}  // namespace Grappa::detail
