#include "apps/common/combining_flag.hpp"

#include "apps/common/flags.hpp"
#include "structures/graph/edge_text.hpp"
#include "system/base/input_error.hpp"

#include <gflags/gflags.h>
#include <string>

DEFINE_string(flat_combining, "",
              "combining mode of the global structure that the algorithm uses, if any: none, "
              "centralized or distributed; default: the value of --combining");

namespace apps {
namespace {

using Grappa::Combining;

const Combining kModes[] = {Combining::None, Combining::Centralized, Combining::Distributed};

// Returns false if no mode has that name.
bool find_mode(const std::string& name, Combining* mode) {
  for (const Combining each : kModes) {
    if (name != Grappa::detail::name_of(each)) continue;
    *mode = each;
    return true;
  }
  return false;
}

}  // namespace

void check_combining_flag() {
  Combining ignored;
  if (!is_given("flat_combining") || find_mode(FLAGS_flat_combining, &ignored)) return;
  Grappa::input_error("--flat_combining=" + Grappa::detail::printable(FLAGS_flat_combining) +
                      " is unknown; give none, centralized or distributed");
}

Combining combining() {
  Combining chosen = Grappa::detail::default_combining();
  find_mode(FLAGS_flat_combining, &chosen);
  return chosen;
}

}  // namespace apps
