#pragma once

/// What existing Grappa programs name without the namespace. Nothing else of ours is global.

#include "system/base/ids.hpp"
#include "system/global/address.hpp"
#include "system/parallel/collective.hpp"

using Grappa::Core;
using Grappa::GlobalAddress;
using Grappa::make_global;
using Grappa::make_linear;

using Grappa::collective_add;
using Grappa::collective_and;
using Grappa::collective_max;
using Grappa::collective_min;
using Grappa::collective_or;
