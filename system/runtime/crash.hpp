#pragma once

/// What is said when the process dies of a signal that a bug in a program causes.

namespace Grappa {

/// Reports a stack overflow as such, and any other fatal signal with its core; then dies of the
/// signal, which makes mpirun end the job. glog prints stacks.
void install_crash_handlers();

}  // namespace Grappa
