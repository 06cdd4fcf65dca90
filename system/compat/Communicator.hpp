#pragma once

/// A header name that existing Grappa programs include.

#include "system/compat/global_names.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
