#include "system/base/input_error.hpp"

#include <cstdio>
#include <cstdlib>

#include <errno.h>  // program_invocation_short_name

namespace Grappa {
namespace detail {

InputErrorHook input_error_hook = nullptr;

}  // namespace detail

void input_error(const std::string& sentence) {
  const std::string line = std::string(program_invocation_short_name) + ": " + sentence + "\n";
  if (detail::input_error_hook != nullptr) detail::input_error_hook(line.c_str());
  std::fputs(line.c_str(), stderr);
  std::exit(detail::kInputErrorStatus);
}

}  // namespace Grappa
