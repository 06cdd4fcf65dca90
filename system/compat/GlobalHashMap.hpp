#pragma once

#include "structures/global_map.hpp"
#include "system/compat/global_names.hpp"

#include <unordered_map>

namespace Grappa {

template <class K, class V, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using GlobalHashMap = GlobalMap<K, V, Hash, Equal>;

template <class K, class V, class Hash, class Equal, class F>
void forall_entries(GlobalAddress<GlobalMap<K, V, Hash, Equal>> map, F body) {
  map->forall_entries(body);
}

template <GlobalCompletionEvent* event, class K, class V, class Hash, class Equal, class F>
void forall_entries(GlobalAddress<GlobalMap<K, V, Hash, Equal>> map, F body) {
  map->forall_entries(body);
  event->wait();
}

}  // namespace Grappa
