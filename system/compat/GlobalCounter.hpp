#pragma once

/// A header name that existing Grappa programs include.

#include "structures/global_counter.hpp"
#include "system/compat/global_names.hpp"
