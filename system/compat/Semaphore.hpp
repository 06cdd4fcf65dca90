#pragma once

#include "system/compat/global_names.hpp"
#include "system/global/remote_sync.hpp"
#include "system/sync/semaphore.hpp"
