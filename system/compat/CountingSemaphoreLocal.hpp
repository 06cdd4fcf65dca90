#pragma once

#include "system/compat/global_names.hpp"
#include "system/sync/semaphore.hpp"
