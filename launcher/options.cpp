#include "launcher/options.hpp"

#include "launcher/usage.hpp"

#include <cctype>
#include <cstdlib>
#include <cstring>
#include <set>

#include <dirent.h>
#include <sys/stat.h>
#include <unistd.h>

namespace launcher {
namespace {

constexpr int kMostCores = 32767;  // a core number has 15 bits

bool is_number(const std::string& text, size_t most_digits) {
  return !text.empty() && text.size() <= most_digits && text[0] != '0' &&
         text.find_first_not_of("0123456789") == std::string::npos;
}

bool is_host(const std::string& text) {
  const size_t colon = text.find(':');
  if (colon != std::string::npos && !is_number(text.substr(colon + 1), 6)) return false;
  const std::string name = text.substr(0, colon);
  for (const char sign : name) {
    if (std::isalnum(static_cast<unsigned char>(sign)) == 0 &&
        std::strchr("._-[]", sign) == nullptr) {
      return false;
    }
  }
  return !name.empty();
}

bool is_host_list(const std::string& text) {
  for (size_t begin = 0; begin <= text.size();) {
    const size_t end = std::min(text.find(',', begin), text.size());
    if (!is_host(text.substr(begin, end - begin))) return false;
    begin = end + 1;
  }
  return true;
}

bool is_file_to_read(const std::string& path) {
  struct stat file;
  return ::stat(path.c_str(), &file) == 0 && !S_ISDIR(file.st_mode) &&
         ::access(path.c_str(), R_OK) == 0;
}

bool is_set(const char* name) {
  const char* const value = std::getenv(name);
  return value != nullptr && value[0] != '\0';
}

/// Returns true inside a batch job. Without --hosts and --hostfile, a job uses the allocated hosts.
bool under_batch_system() {
  return is_set("SLURM_JOB_ID") || is_set("PBS_JOBID") || is_set("LSB_JOBID") ||
         (is_set("SGE_ROOT") && is_set("PE_HOSTFILE"));
}

/// Returns the value of a program flag, or "" if the flag is absent. Accepts every spelling of
/// gflags: one or two dashes, - instead of _, the value after = or in the next argument.
std::string program_flag(const std::vector<std::string>& command, const std::string& name) {
  std::string value;
  for (size_t k = 1; k < command.size() && command[k] != "--"; ++k) {
    const std::string& argument = command[k];
    const size_t dashes = argument.compare(0, 2, "--") == 0 ? 2 : 1;
    if (argument[0] != '-' || argument.size() < dashes + name.size()) continue;
    std::string flag = argument.substr(dashes, name.size());
    for (char& sign : flag) sign = sign == '-' ? '_' : sign;
    const std::string rest = argument.substr(dashes + name.size());
    if (flag != name || (!rest.empty() && rest[0] != '=')) continue;
    if (!rest.empty()) {
      value = rest.substr(1);
    } else if (k + 1 < command.size()) {
      value = command[k + 1];
    }
  }
  return value;
}

/// Only the MPI world implements --cores_per_locale.
bool program_needs_mpi(const std::vector<std::string>& command) {
  const std::string cores_per_locale = program_flag(command, "cores_per_locale");
  return std::atoi(cores_per_locale.c_str()) > 0 || program_flag(command, "world") == "mpi";
}

std::string find_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  const std::string folders = path == nullptr ? "/usr/bin:/bin" : path;
  for (size_t begin = 0; begin <= folders.size();) {
    const size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string folder = folders.substr(begin, end - begin);
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    struct stat found;
    if (::stat(file.c_str(), &found) == 0 && S_ISREG(found.st_mode) &&
        ::access(file.c_str(), X_OK) == 0) {
      return file;
    }
    begin = end + 1;
  }
  refuse("no program " + name + " in PATH");
}

/// Returns "; available programs: bfs cc ...", with the files of a folder.
std::string programs_text(const std::string& folder) {
  std::set<std::string> names;
  if (DIR* const entries = ::opendir(folder.c_str())) {
    while (const dirent* const entry = ::readdir(entries)) {
      struct stat file;
      if (::stat((folder + "/" + entry->d_name).c_str(), &file) == 0 && S_ISREG(file.st_mode)) {
        names.insert(entry->d_name);
      }
    }
    ::closedir(entries);
  }
  std::string text = "; available programs:";
  for (const std::string& name : names) text += " " + name;
  return text + " (or give the path of an executable)";
}

/// Replaces the name of a program by its path. Searches `folder`; if `folder` is empty, searches
/// PATH.
void find_program(std::string* program, const std::string& folder) {
  if (program->find('/') == std::string::npos) {
    if (folder.empty()) {
      *program = find_in_path(*program);
    } else if (::access((folder + "/" + *program).c_str(), F_OK) == 0) {
      *program = folder + "/" + *program;
    } else {
      refuse("no program " + *program + programs_text(folder));
    }
  }
  struct stat file;
  if (::stat(program->c_str(), &file) != 0) refuse("no program " + *program);
  if (!S_ISREG(file.st_mode) || ::access(program->c_str(), X_OK) != 0) {
    refuse(*program + " is not an executable");
  }
}

class Arguments {
 public:
  Arguments(int argc, char* argv[]) : left_(argv + 1, argv + argc) {}

  /// If the next argument is the option `name`, removes it and stores its value, which follows
  /// after = or in the next argument. Returns true if the option was present.
  bool take(const std::string& name, std::string* value) {
    if (left_.empty()) return false;
    const std::string first = left_[0];
    if (first == name) {
      if (left_.size() < 2 || left_[1].empty()) refuse(name + " needs a value");
      *value = left_[1];
      left_.erase(left_.begin(), left_.begin() + 2);
      return true;
    }
    const std::string begin = name[1] == '-' ? name + "=" : name;  // -n4
    if (first.compare(0, begin.size(), begin) != 0) return false;
    *value = first.substr(begin.size());
    if (value->empty()) refuse(name + " needs a value");
    left_.erase(left_.begin());
    return true;
  }

  bool take(const std::string& name) {
    if (left_.empty() || left_[0] != name) return false;
    left_.erase(left_.begin());
    return true;
  }

  const std::vector<std::string>& left() const { return left_; }

 private:
  std::vector<std::string> left_;
};

}  // namespace

Options parse_options(int argc, char* argv[]) {
  Options options;
  Arguments arguments(argc, argv);
  std::string cores, world, programs;
  for (;;) {
    if (arguments.take("-n", &cores)) {
      options.cores = is_number(cores, 6) ? std::atoi(cores.c_str()) : 0;
      if (options.cores < 1 || options.cores > kMostCores) {
        refuse("-n: invalid value \"" + cores + "\", expected a number of cores from 1 to " +
               std::to_string(kMostCores));
      }
    } else if (arguments.take("--world", &world)) {
      if (world != "shm" && world != "mpi") {
        refuse("--world: invalid value \"" + world + "\", expected shm or mpi");
      }
    } else if (arguments.take("--shared")) {
      options.shared = true;
    } else if (arguments.take("--check")) {
      options.check = true;
    } else if (!arguments.take("--hosts", &options.hosts) &&
               !arguments.take("--hostfile", &options.hostfile) &&
               !arguments.take("--simulate", &options.simulate) &&
               !arguments.take("--programs", &programs)) {
      break;
    }
  }
  const bool end_of_options = arguments.take("--");
  options.command = arguments.left();
  if (!end_of_options && !options.command.empty() && options.command[0][0] == '-') {
    refuse("unknown option " + options.command[0]);
  }

  const bool names_hosts = !options.hosts.empty() || !options.hostfile.empty();
  if (!options.hosts.empty() && !options.hostfile.empty()) {
    refuse("--hosts and --hostfile exclude each other");
  }
  if (!options.hosts.empty() && !is_host_list(options.hosts)) {
    refuse("--hosts: invalid value \"" + options.hosts + "\", expected HOST[:SLOTS],...");
  }
  if (!options.hostfile.empty() && !is_file_to_read(options.hostfile)) {
    refuse("cannot read the hostfile " + options.hostfile);
  }
  if (options.command.empty() || options.command[0].empty()) {
    refuse("no program given" + (programs.empty() ? "" : programs_text(programs)));
  }
  // GRAPPA_WORLD is the default value of the program flag --world.
  const char* const from_shell = std::getenv("GRAPPA_WORLD");
  const bool needs_mpi =
      program_needs_mpi(options.command) ||
      (world.empty() && from_shell != nullptr && std::string(from_shell) == "mpi");
  if (world == "shm" && (names_hosts || needs_mpi)) {
    refuse(
        "--world=shm supports one host whose cores share memory: remove --hosts, --hostfile, "
        "--cores_per_locale and --world=mpi");
  }
  if (!options.simulate.empty()) {
    // One process starts, which forks the cores (system/net/sim/). It may use all processors.
    if (names_hosts || needs_mpi || world == "mpi" || options.cores != 0) {
      refuse(
          "--simulate=LOCALESxCORES sets the cores and connects them: remove -n, --hosts, "
          "--hostfile, --cores_per_locale and --world=mpi");
    }
    options.cores = 1;
    options.shared = true;
    find_program(&options.command[0], programs);
    return options;
  }
  options.over_mpi =
      names_hosts || needs_mpi || world == "mpi" || (world.empty() && under_batch_system());
  find_program(&options.command[0], programs);
  return options;
}

}  // namespace launcher
