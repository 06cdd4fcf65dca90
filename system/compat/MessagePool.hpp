#pragma once

/// The name under which existing Grappa programs include this. Messages lie in the buffers that
/// they travel in and no longer need memory that a program keeps for them: what was sent from a
/// pool is sent by send_message or send_heap_message.

#include "system/compat/global_names.hpp"
#include "system/message/send.hpp"
