#pragma once

#include "structures/global_map.hpp"
#include "system/compat/global_names.hpp"

#include <unordered_map>

namespace Grappa {

template <GlobalCompletionEvent* event, class K, class V, class Hash, class Equal, class F>
void forall_entries(GlobalAddress<GlobalMap<K, V, Hash, Equal>> map, F body) {
  map->forall_entries(body);
  event->wait();
}

}  // namespace Grappa
