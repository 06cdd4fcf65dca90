#pragma once

/// Functions and file-scope objects are sent as addresses, so all cores must run the same binary at
/// the same address.

namespace Grappa {
namespace detail {

/// Ends the job with an error message if a core does not. Called by all cores together.
void check_same_program();

}  // namespace detail
}  // namespace Grappa
