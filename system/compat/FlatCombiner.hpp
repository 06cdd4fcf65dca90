#pragma once

#include "structures/flat_combiner.hpp"
#include "system/compat/global_names.hpp"
