#include "apps/common/program.hpp"

#include "apps/common/flags.hpp"

#include <cstdio>
#include <iostream>

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

bool report_wrong(const char* program, const std::string& error) {
  if (error.empty()) return false;
  std::cerr << std::string(program) + ": " + error + "\n" << std::flush;
  return true;
}

std::string number(const char* format, double value) {
  char text[64];
  std::snprintf(text, sizeof text, format, value);
  return text;
}

}  // namespace apps
