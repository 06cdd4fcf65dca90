#pragma once

/// Objects that have the same address on all cores.
///
/// Programs are not position-independent, and all cores run the same program, so its file-scope
/// objects have the same address on every core (base/fixed_address.hpp). Symmetric objects do, too,
/// because each core's part of the global heap starts at the same address.

namespace Grappa {
namespace detail {

/// True if `object` is of file scope, static, or in the global heap.
bool at_same_address_everywhere(const void* object);

}  // namespace detail
}  // namespace Grappa
