#pragma once

/// The parts that abort.cpp and calls.cpp share.

#include <Grappa.hpp>

#include <stdexcept>
#include <string>
#include <thread>

/// Makes the call that `way` names, which breaks a rule of Grappa. Returns if no such call exists.
void break_rules_of_calls(const std::string& way);

/// Each call runs a throwing body on the caller's own core. The job must be aborted: if a call
/// propagates the exception to the caller, the job ends with status 0 and the test fails.
void throw_on_own_core(const std::string& call);

inline void throw_it() { throw std::logic_error("stopped"); }

/// Runs `body` in another thread of this core.
template <class F>
void elsewhere(F body) {
  std::thread(body).join();
}
