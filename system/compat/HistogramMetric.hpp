#pragma once

#include "system/compat/global_names.hpp"
#include "system/observe/metrics.hpp"
