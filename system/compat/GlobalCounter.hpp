#pragma once

#include "structures/global_counter.hpp"
#include "system/compat/global_names.hpp"
