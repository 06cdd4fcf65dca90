#pragma once

/// Everything a program needs but containers and graphs, which have a header each.

#include "system/base/check.hpp"
#include "system/base/ids.hpp"
#include "system/base/input_error.hpp"
#include "system/base/units.hpp"
#include "system/global/address.hpp"
#include "system/global/delegate.hpp"
#include "system/global/delegate_async.hpp"
#include "system/global/heap.hpp"
#include "system/global/local_span.hpp"
#include "system/global/remote_sync.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
#include "system/observe/clock.hpp"
#include "system/parallel/bulk.hpp"
#include "system/parallel/collective.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/forall.hpp"
#include "system/parallel/global_completion_event.hpp"
#include "system/parallel/on_all_cores.hpp"
#include "system/parallel/steal.hpp"
#include "system/parallel/symmetric.hpp"
#include "system/runtime/runtime.hpp"
#include "system/sync/completion_event.hpp"
#include "system/sync/condition_variable.hpp"
#include "system/sync/full_empty.hpp"
#include "system/sync/mutex.hpp"
#include "system/sync/semaphore.hpp"
#include "system/tasking/spawn.hpp"

#include <gflags/gflags.h>
