#pragma once

#include "structures/push_buffer.hpp"
#include "system/compat/global_names.hpp"
