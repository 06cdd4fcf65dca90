/// Draws the figures of the paper: `./grappa bench figures` runs `plot RESULT FOLDER`, where RESULT
/// is the result file of bench/structures, bench/graph, bench/cc or bench/simulated. Writes
/// figureN.csv, figureN.svg and figureN.png to FOLDER for each figure of that benchmark; for
/// simulations, simulatedN.csv and so on.
///
/// Exit status: 0, or 2 after an error message if a number or gnuplot is missing, or if a file
/// cannot be read or written. Files are written only if no number is missing.

#include "bench/plot/pictures.hpp"
#include "structures/text/quoted.hpp"
#include "system/base/input_error.hpp"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include <spawn.h>
#include <stdlib.h>
#include <sys/wait.h>

extern char** environ;

namespace {

using bench::plot::Picture;

[[noreturn]] void refuse(const std::string& path, const std::string& problem) {
  Grappa::input_error(Grappa::detail::printable(path) + ": " + problem);
}

bench::Result load(const std::string& path) {
  errno = 0;
  std::ifstream file(path.c_str());
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (!file) refuse(path, std::string("cannot be read: ") + std::strerror(errno));
  bench::Result result;
  const std::string problem = bench::parse_result(text, &result);
  if (!problem.empty()) refuse(path, problem);
  return result;
}

void write(const std::string& path, const std::string& text) {
  errno = 0;
  std::ofstream file(path.c_str());
  file << text << std::flush;
  if (!file) refuse(path, std::string("cannot be written: ") + std::strerror(errno));
}

// Returns the exit status, or -1 if the program does not exist.
int run(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& argument : command) arguments.push_back(&argument[0]);
  arguments.push_back(nullptr);
  pid_t child;
  if (::posix_spawnp(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) != 0) {
    return -1;
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}

void draw(const Picture& picture, const std::string& base, const std::string& format) {
  const std::string script = GRAPPA_BENCH_PLOT "/" + picture.script + ".gp";
  const std::string drawing = base + "." + format;
  const int status = run({"gnuplot", "-c", script, format, base + ".csv", drawing, picture.x});
  if (status == -1) {
    Grappa::input_error("gnuplot was not found; install it (Debian: apt-get install gnuplot-nox)");
  }
  if (status != 0) refuse(drawing, "gnuplot failed to draw this file");
}

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 3)
    Grappa::input_error(
        "expected a result file of structures, graph, cc or simulated, and a folder");
  const std::string path = argv[1];
  const std::string folder = argv[2];
  const bench::Result result = load(path);
  const std::vector<Picture> pictures = bench::plot::pictures_of(result);
  if (pictures.empty()) refuse(path, "no figure is drawn from the benchmark " + result.benchmark);
  std::vector<std::string> tables;
  for (const Picture& picture : pictures) {
    std::string problem;
    tables.push_back(to_csv(picture, result, &problem));
    if (!problem.empty()) refuse(path, problem);
  }
  ::setenv("GNUPLOT_LIB", GRAPPA_BENCH_PLOT, 1);  // the scripts load style.gp from here
  for (size_t k = 0; k < pictures.size(); ++k) {
    const std::string base = folder + "/" + pictures[k].name;
    write(base + ".csv", tables[k]);
    draw(pictures[k], base, "svg");
    draw(pictures[k], base, "png");
  }
  return 0;
}
