#include "structures/graph/file/graph_file.hpp"

#include "structures/graph/file/edge_record.hpp"
#include "structures/graph/file/edge_text.hpp"
#include "structures/graph/file/graph_part.hpp"
#include "structures/graph/file/open_file.hpp"
#include "structures/graph/file/record_reader.hpp"
#include "structures/graph/file/text_reader.hpp"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>

namespace Grappa {
namespace detail {

std::string check_graph_file(int fd) {
  struct stat status;
  if (fd < 0 || ::fstat(fd, &status) != 0) {
    return std::string("cannot be opened: ") + std::strerror(errno);
  }
  if (S_ISDIR(status.st_mode)) return "is a directory, not a graph";
  if (!S_ISREG(status.st_mode)) return "is not a regular file, so the cores cannot share it";
  if (status.st_size == 0) return "is empty";
  return "";
}

std::string read_graph_file(const std::string& path, const std::string& format, TupleGraph* graph) {
  const GraphFormat known = graph_format(path, format);
  if (known == GraphFormat::kUnknown && !format.empty()) return unknown_format(path, format);
  const OpenFile file(path, O_RDONLY);
  const std::string unusable = check_graph_file(file.fd());
  if (file.fd() >= 0 && known == GraphFormat::kUnknown) return unknown_format(path, format);
  if (!unusable.empty()) return printable(path) + ": " + unusable;
  const FileProblem problem = record_bytes(known) != 0
                                  ? read_record_graph(path, file.fd(), known, graph)
                                  : read_text_graph(path, file.fd(), known, graph);
  return problem.found() ? located(path, file.fd(), known, problem) : "";
}

}  // namespace detail
}  // namespace Grappa
