#pragma once

#include "structures/global_set.hpp"
#include "system/compat/global_names.hpp"

#include <unordered_map>
#include <unordered_set>

namespace Grappa {

template <GlobalCompletionEvent* event, class K, class Hash, class Equal, class F>
void forall_keys(GlobalAddress<GlobalSet<K, Hash, Equal>> set, F body) {
  set->template forall_keys<event>(body);
}

}  // namespace Grappa
