#pragma once

/// The name under which existing Grappa programs include this.

#include "system/compat/global_names.hpp"
#include "system/global/remote_sync.hpp"
#include "system/sync/semaphore.hpp"
