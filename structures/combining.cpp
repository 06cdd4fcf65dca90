#include "structures/combining.hpp"

#include "system/base/input_error.hpp"

#include <string>

#include <gflags/gflags.h>

DEFINE_string(
    combining, "distributed",
    "how operations of global structures synchronise, where the program does not set it: "
    "none (each operation by itself), centralized (combined at the master) or distributed "
    "(combined on each core)");

namespace Grappa {
namespace detail {
namespace {

constexpr Combining kModes[] = {Combining::None, Combining::Centralized, Combining::Distributed};

}  // namespace

const char* name_of(Combining mode) {
  switch (mode) {
    case Combining::None: return "none";
    case Combining::Centralized: return "centralized";
    case Combining::Distributed: break;
  }
  return "distributed";
}

Combining default_combining() {
  for (Combining mode : kModes) {
    if (FLAGS_combining == name_of(mode)) return mode;
  }
  input_error("--combining: invalid value \"" + FLAGS_combining +
              "\", expected none, centralized or distributed");
}

}  // namespace detail
}  // namespace Grappa
