#pragma once

/// The name under which existing Grappa programs include this.

#include "structures/push_buffer.hpp"
#include "system/compat/global_names.hpp"
