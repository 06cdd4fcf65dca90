#pragma once

/// What lies at one address on all cores.
///
/// Programs are not position-independent and all cores run the same one, so that what it has at
/// file scope lies at the same place everywhere (base/fixed_place.hpp); and so do symmetric
/// objects, as every core's part of the global heap begins at the same place.

namespace Grappa {
namespace detail {

/// True if `object` is of file scope, static, or in the global heap.
bool at_same_place_everywhere(const void* object);

}  // namespace detail
}  // namespace Grappa
