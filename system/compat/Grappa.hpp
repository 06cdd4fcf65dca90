#pragma once

/// The header Grappa.hpp for programs that were written for the original Grappa. It includes the
/// header for users, and provides the names and standard headers of the original header.

#include "system/Grappa.hpp"
#include "system/compat/loop_arguments.hpp"
#include "system/compat/names.hpp"
