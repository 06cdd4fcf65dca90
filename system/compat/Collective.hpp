#pragma once

#include "system/compat/global_names.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/reduce.hpp"
