#include "system/message/closure_check.hpp"

namespace Grappa {
namespace detail {

ClosureScan the_closure_scan = nullptr;

}  // namespace detail
}  // namespace Grappa
