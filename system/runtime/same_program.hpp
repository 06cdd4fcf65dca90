#pragma once

/// Functions and file-scope objects travel as addresses, so all cores must run the same binary at
/// the same place.

namespace Grappa {
namespace detail {

/// Ends the job with a sentence that says what to do if they do not. Called by all cores together.
void check_same_program();

}  // namespace detail
}  // namespace Grappa
