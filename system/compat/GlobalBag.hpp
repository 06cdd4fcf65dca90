#pragma once

#include "structures/global_bag.hpp"
#include "system/compat/global_names.hpp"
