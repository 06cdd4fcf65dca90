#include "structures/combining.hpp"

#include "system/base/input_error.hpp"

#include <string>

#include <gflags/gflags.h>

DEFINE_string(
    combining, "distributed",
    "how operations of global structures synchronise, where the program does not set it: "
    "none (each operation by itself), centralized (combined at the master) or distributed "
    "(combined on each core)");

namespace Grappa::detail {
namespace {

constexpr const char* kNames[] = {"none", "centralized", "distributed"};  // by mode

}  // namespace

const char* name_of(Combining mode) { return kNames[static_cast<int>(mode)]; }

Combining default_combining() {
  for (int mode = 0; mode < 3; ++mode) {
    if (FLAGS_combining == kNames[mode]) return static_cast<Combining>(mode);
  }
  input_error("--combining: invalid value \"" + FLAGS_combining +
              "\", expected none, centralized or distributed");
}

}  // namespace Grappa::detail
