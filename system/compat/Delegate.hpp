#pragma once

#include "system/compat/fetch_add_combiner.hpp"
#include "system/compat/global_names.hpp"
#include "system/global/delegate.hpp"
