#pragma once

#include "system/compat/global_names.hpp"
#include "system/global/remote_sync.hpp"
#include "system/sync/completion_event.hpp"
#include "system/sync/condition_variable.hpp"
#include "system/sync/full_empty.hpp"
#include "system/sync/mutex.hpp"
#include "system/sync/semaphore.hpp"
