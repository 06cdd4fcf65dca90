#pragma once

/// Objects that have the same address on all cores.
///
/// Programs are not position-independent, and all cores run the same program, so its file-scope
/// objects have the same address on every core (base/fixed_address.hpp). Symmetric objects do, too,
/// because each core's part of the global heap starts at the same address.

#include "system/global/address.hpp"

namespace Grappa {
namespace detail {

/// True if `object` is of file scope, static, or in the global heap.
bool at_same_address_everywhere(const void* object);

/// Aborts the job unless `object` is the address of an object on every core: a file-scope or
/// symmetric object.
void check_on_all_cores(const void* object);

/// The same check for the object of a loop. Also aborts the job if `address` is linear, as the
/// address of an array.
void check_loop_over_cores(GlobalAddress<void> address);

}  // namespace detail
}  // namespace Grappa
