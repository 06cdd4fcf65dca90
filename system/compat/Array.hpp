#pragma once

/// The name under which existing Grappa programs include this.

#include "structures/global_array.hpp"
#include "system/compat/global_names.hpp"
#include "system/global/heap.hpp"
#include "system/parallel/bulk.hpp"
