#pragma once

#include "structures/global_set.hpp"
#include "system/compat/global_names.hpp"

#include <unordered_map>
#include <unordered_set>

namespace Grappa {

template <class K, class Hash = std::hash<K>, class Equal = std::equal_to<K>>
using GlobalHashSet = GlobalSet<K, Hash, Equal>;

template <class K, class Hash, class Equal, class F>
void forall_keys(GlobalAddress<GlobalSet<K, Hash, Equal>> set, F body) {
  set->forall_keys(body);
}

template <GlobalCompletionEvent* event, class K, class Hash, class Equal, class F>
void forall_keys(GlobalAddress<GlobalSet<K, Hash, Equal>> set, F body) {
  set->forall_keys(body);
  event->wait();
}

}  // namespace Grappa
