#pragma once

/// The common part of `main` in all programs.

namespace apps {

/// Runs `body` as the main task of a job. Rejects arguments that are not flags. Returns the exit
/// status of main: 0, or 1 if `body` returns false because a result is wrong. From: main.
int run_program(int argc, char* argv[], bool (*body)());

}  // namespace apps
