/// Executes a program with huge pages disabled for the program and its children.
///
///     without_huge_pages PROGRAM [ARGUMENT...]

#include <cstdio>

#include <sys/prctl.h>
#include <unistd.h>

int main(int argc, char* argv[]) {
  if (argc < 2 || ::prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0) != 0) {
    std::perror("without_huge_pages");
    return 1;
  }
  ::execvp(argv[1], argv + 1);
  std::perror(argv[1]);
  return 1;
}
