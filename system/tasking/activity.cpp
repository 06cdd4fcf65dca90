#include "system/tasking/activity.hpp"

namespace Grappa {
namespace detail {

TickCounter activity_time[3] = {
    {"tasking.running_ns", "in which a core ran workers, or the program outside of run"},
    {"tasking.polling_ns", "in which a core delivered messages, flushed, or polled while busy"},
    {"tasking.idle_ns", "in which a core had no work"},
};

}  // namespace detail
}  // namespace Grappa
