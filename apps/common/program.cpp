#include "apps/common/program.hpp"

#include <Grappa.hpp>

#include "apps/common/flags.hpp"

namespace apps {
namespace {

// A global variable on each core: all cores must return the same status from main.
int exit_status = 0;

}  // namespace

int run_program(int argc, char* argv[], bool (*body)()) {
  Grappa::init(&argc, &argv);
  Grappa::run([argc, argv, body] {
    check_no_surplus(argc, argv);
    if (!body()) Grappa::on_all_cores([] { exit_status = 1; });
  });
  const int status = Grappa::finalize();
  return exit_status != 0 ? exit_status : status;
}

}  // namespace apps
