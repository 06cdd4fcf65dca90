/// Failures of global sets and maps, which must abort the job. Each --way is one case, on all cores
/// or in the main task. abort/ways.cmake has the expected reports.

#include "structures/global_map.hpp"
#include "structures/global_set.hpp"
#include "system/base/mapping.hpp"

#include <Grappa.hpp>

#include <fstream>
#include <string>

#include <sys/resource.h>

DEFINE_string(way, "", "how to fail");

namespace {

using namespace Grappa;
using namespace Grappa::detail;

/// Limits the address space of each process to `more_bytes` more than it uses now.
void limit_memory(uint64_t more_bytes) {
  on_all_cores([more_bytes] {
    uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t bytes = pages * page_bytes() + more_bytes;
    const rlimit limit = {bytes, bytes};
    GRAPPA_CHECK(::setrlimit(RLIMIT_AS, &limit) == 0) << "cannot limit memory";
  });
}

struct Wide {
  char bytes[1000];
};

void fail(const std::string& way) {
  if (way == "table_for_less_than_none") GlobalSet<int64_t>::create(-1);
  if (way == "table_out_of_memory") GlobalMap<int64_t, int64_t>::create(int64_t{1} << 60);
  if (way == "table_grows_too_large") {
    const auto map = GlobalMap<int64_t, Wide>::create();
    limit_memory(100000000);
    for (int64_t key = 0; key < 1000000; ++key) map->insert(key, Wide());
  }
  if (way == "table_changed_in_loop") {
    const auto set = GlobalSet<int64_t>::create();
    for (int64_t key = 0; key < 100; ++key) set->insert(key);
    set->forall_keys([set](int64_t key) { set->insert(key + 1000); });
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  init(&argc, &argv);
  run([] { fail(FLAGS_way); });
  return finalize();
}
