#include "system/net/imported_function.hpp"

#include <cstring>

#include <link.h>

namespace Grappa {
namespace detail {
namespace {

struct Search {
  const char* prefix;
  std::string found;
};

/// Searches the relocations of the first file, which is the program, and then ends the iteration.
int search_program(dl_phdr_info* program, size_t, void* argument) {
  Search& search = *static_cast<Search*>(argument);
  const ElfW(Dyn)* entry = nullptr;
  for (int k = 0; k < program->dlpi_phnum; ++k) {
    const auto& part = program->dlpi_phdr[k];
    if (part.p_type != PT_DYNAMIC) continue;
    entry = reinterpret_cast<const ElfW(Dyn)*>(program->dlpi_addr + part.p_vaddr);
  }
  if (entry == nullptr) return 1;  // a static program
  const ElfW(Sym)* symbols = nullptr;
  const char* names = nullptr;
  struct {
    const ElfW(Rela) * first = nullptr;
    size_t bytes = 0;
  } tables[2];  // calls; addresses
  for (; entry->d_tag != DT_NULL; ++entry) {
    const auto address = entry->d_un.d_ptr;  // relocated by the dynamic linker
    switch (entry->d_tag) {
      case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
      case DT_STRTAB: names = reinterpret_cast<const char*>(address); break;
      case DT_JMPREL: tables[0].first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_PLTRELSZ: tables[0].bytes = entry->d_un.d_val; break;
      case DT_RELA: tables[1].first = reinterpret_cast<const ElfW(Rela)*>(address); break;
      case DT_RELASZ: tables[1].bytes = entry->d_un.d_val; break;
    }
  }
  for (const auto& table : tables) {
    for (size_t k = 0; k < table.bytes / sizeof(ElfW(Rela)); ++k) {
      const size_t symbol = table.first[k].r_info >> (sizeof(void*) == 8 ? 32 : 8);
      const char* name = names + symbols[symbol].st_name;
      if (std::strncmp(name, search.prefix, std::strlen(search.prefix)) != 0) continue;
      search.found = name;
      return 1;
    }
  }
  return 1;
}

}  // namespace

std::string imported_function(const char* prefix) {
  Search search = {prefix, ""};
  ::dl_iterate_phdr(search_program, &search);
  return search.found;
}

}  // namespace detail
}  // namespace Grappa
