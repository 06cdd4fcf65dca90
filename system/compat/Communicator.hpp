#pragma once

#include "system/compat/global_names.hpp"
#include "system/message/send.hpp"
#include "system/net/topology.hpp"
