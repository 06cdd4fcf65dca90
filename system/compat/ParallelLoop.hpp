#pragma once

/// The name under which existing Grappa programs include this.

#include "system/compat/global_names.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/on_all_cores.hpp"
