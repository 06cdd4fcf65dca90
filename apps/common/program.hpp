#pragma once

/// What main does in every program here.

namespace apps {

/// Runs `body` as the main task of a job, which takes no argument that is not a flag. Returns what
/// main returns: 0, or 1 if the body says by false that a result is wrong. From: main.
int run_program(int argc, char* argv[], bool (*body)());

}  // namespace apps
