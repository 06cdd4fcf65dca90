#pragma once

#include "structures/global_array.hpp"
#include "system/compat/global_names.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/global_alloc.hpp"
