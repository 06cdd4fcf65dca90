#pragma once

#include "system/compat/global_names.hpp"
#include "system/parallel/global_alloc.hpp"
#include "system/parallel/symmetric.hpp"
