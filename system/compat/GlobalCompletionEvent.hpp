#pragma once

#include "system/compat/global_names.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/spawn.hpp"
