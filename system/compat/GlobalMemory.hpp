#pragma once

#include "system/compat/global_names.hpp"
#include "system/global/heap.hpp"
