#pragma once

/// A header name that existing Grappa programs include. Messages are created directly in message
/// buffers and need no pool: programs replace sends from a pool by send_message or
/// send_heap_message.

#include "system/compat/global_names.hpp"
#include "system/message/send.hpp"
