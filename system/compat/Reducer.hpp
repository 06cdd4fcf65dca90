#pragma once

/// The name under which existing Grappa programs include this.

#include "system/compat/global_names.hpp"
#include "system/parallel/reduce.hpp"
#include "system/parallel/reducer.hpp"
#include "system/parallel/simple_symmetric.hpp"
