#pragma once

/// Grappa.hpp of programs for the original Grappa: the users' header, and the names and standard
/// headers of the original one.

#include "system/Grappa.hpp"
#include "system/compat/loop_arguments.hpp"
#include "system/compat/names.hpp"
