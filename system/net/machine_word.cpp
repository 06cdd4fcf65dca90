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
  struct Door {
    int pid;
    int descriptor;
  };
  SharedMemory mine;
  const bool first = topology().machine_first == mycore();
  if (first) mine = create_shared_memory(page_bytes());
  const Door my_door = {static_cast<int>(::getpid()), mine.descriptor};
  const std::vector<char> doors = detail::world().all_gather(&my_door, sizeof my_door);
  Door door;
  const size_t at = static_cast<size_t>(topology().machine_first) * sizeof door;
  std::memcpy(&door, doors.data() + at, sizeof door);
  void* place =
      first ? mine.address : try_attach_shared_memory(door.pid, door.descriptor, page_bytes());
  detail::world().barrier();  // all have mapped
  close_shared_memory(&mine);
  return static_cast<std::atomic<uint32_t>*>(place);
}

}  // namespace detail
}  // namespace Grappa
