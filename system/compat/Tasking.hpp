#pragma once

#include "system/compat/global_names.hpp"
#include "system/parallel/steal.hpp"
#include "system/tasking/scheduler.hpp"
#include "system/tasking/task.hpp"
