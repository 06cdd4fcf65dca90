#include "system/net/machine_word.hpp"

#include "system/base/mapping.hpp"
#include "system/net/topology.hpp"
#include "system/net/world.hpp"

#include <cstring>
#include <vector>

#include <unistd.h>

namespace Grappa {
namespace detail {

std::atomic<uint32_t>* map_machine_word() {
  struct Handle {
    int pid;
    int descriptor;
  };
  SharedMemory mine;
  const bool first = topology().machine_first == mycore();
  if (first) mine = create_shared_memory(page_bytes());
  const Handle my_handle = {static_cast<int>(::getpid()), mine.descriptor};
  const std::vector<char> handles = detail::world().all_gather(&my_handle, sizeof my_handle);
  Handle handle;
  const size_t at = static_cast<size_t>(topology().machine_first) * sizeof handle;
  std::memcpy(&handle, handles.data() + at, sizeof handle);
  void* place =
      first ? mine.address : try_attach_shared_memory(handle.pid, handle.descriptor, page_bytes());
  detail::world().barrier();  // all cores have mapped the word
  close_shared_memory(&mine);
  return static_cast<std::atomic<uint32_t>*>(place);
}

}  // namespace detail
}  // namespace Grappa
