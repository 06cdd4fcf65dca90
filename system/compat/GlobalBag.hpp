#pragma once

/// A header name that existing Grappa programs include.

#include "structures/global_bag.hpp"
#include "system/compat/global_names.hpp"
