#pragma once

#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/base/units.hpp"
#include "system/compat/global_names.hpp"
#include "system/observe/clock.hpp"
