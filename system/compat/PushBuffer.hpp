#pragma once

/// A header name that existing Grappa programs include.

#include "structures/push_buffer.hpp"
#include "system/compat/global_names.hpp"
