#pragma once

/// A header name that existing Grappa programs include.

#include "system/compat/global_names.hpp"
#include "system/global/address.hpp"
