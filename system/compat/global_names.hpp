#pragma once

/// The names that existing Grappa programs use without the namespace. The runtime defines no other
/// global names. Headers of this folder without a comment are header names that these programs use.

#include "system/base/ids.hpp"
#include "system/compat/names.hpp"
#include "system/global/address.hpp"
#include "system/global/cache.hpp"
#include "system/parallel/collective.hpp"

using Grappa::block_offset_t;
using Grappa::block_size;
using Grappa::blockDist;
using Grappa::Core;
using Grappa::global_pointer_to_member;
using Grappa::GlobalAddress;
using Grappa::Incoherent;
using Grappa::indexToBlock;
using Grappa::iterate_local;
using Grappa::make_global;
using Grappa::make_linear;
using Grappa::range_t;

using Grappa::collective_add;
using Grappa::collective_and;
using Grappa::collective_band;
using Grappa::collective_bor;
using Grappa::collective_bxor;
using Grappa::collective_land;
using Grappa::collective_lor;
using Grappa::collective_lxor;
using Grappa::collective_max;
using Grappa::collective_min;
using Grappa::collective_mult;
using Grappa::collective_or;
using Grappa::collective_prod;
using Grappa::collective_sum;
using Grappa::collective_xor;
