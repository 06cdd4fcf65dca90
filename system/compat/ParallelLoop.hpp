#pragma once

#include "system/compat/global_names.hpp"
#include "system/compat/loop_arguments.hpp"
#include "system/parallel/finish_scope.hpp"
#include "system/parallel/on_all_cores.hpp"
