#include "system/tasking/uncaught.hpp"

#include "system/base/check.hpp"
#include "system/tasking/scheduler.hpp"

#include <cstdlib>
#include <exception>

#include <cxxabi.h>
#include <unistd.h>

namespace Grappa {
namespace detail {
namespace {

std::string readable(const char* mangled) {
  int status = 0;
  char* name = abi::__cxa_demangle(mangled, nullptr, nullptr, &status);
  const std::string result = status == 0 ? name : mangled;
  std::free(name);
  return result;
}

bool in_worker() { return !is_absent(the_scheduler) && scheduler().current() != nullptr; }

std::string what_it_left() {
  if (in_worker()) return "a task or a message";
  return ::gettid() == ::getpid() ? "main" : "a thread that is not the core's";
}

}  // namespace

std::string uncaught_sentence() {
  const std::type_info* type = abi::__cxa_current_exception_type();
  if (type == nullptr) return "std::terminate was called";
  const std::string left = " left " + what_it_left();
  const std::string why = " (" + readable(type->name()) +
                          ", caught nowhere or stopped by noexcept)" +
                          (in_worker() ? ": exceptions do not cross a delegate, a loop or a task; "
                                         "catch them inside its body"
                                       : "");
  try {
    throw;
  } catch (const std::exception& error) {
    return "an exception" + left + ": " + error.what() + why;
  } catch (...) {
    return "an exception that is not a std::exception" + left + why;
  }
}

void check_failed_by_uncaught() {
  LOG(FATAL) << CorePrefix() << uncaught_sentence();
  std::abort();  // not reached, but LOG is not declared [[noreturn]]
}

}  // namespace detail
}  // namespace Grappa
