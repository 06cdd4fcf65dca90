#include "system/tasking/activity.hpp"

namespace Grappa {
namespace detail {

TickCounter activity_time[3] = {
    {"tasking.running_ns", "of a core in which its workers ran, or the program outside of run"},
    {"tasking.polling_ns", "of a core in which it delivered messages, flushed, or looked for some"},
    {"tasking.idle_ns", "of a core in which there was nothing to do"},
};

}  // namespace detail
}  // namespace Grappa
