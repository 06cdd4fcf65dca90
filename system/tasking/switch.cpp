#include "system/tasking/switch.hpp"

#include "system/base/check.hpp"
#include "system/base/compiler.hpp"

#include <cstring>
#include <cxxabi.h>

#include <boost/context/detail/fcontext.hpp>

#if GRAPPA_ASAN
#include <sanitizer/common_interface_defs.h>
#endif

namespace Grappa {
namespace {

namespace fcontext = boost::context::detail;

/// What travels with a jump. It lies on the stack of the context that is left, which stays as it is
/// until somebody resumes that context.
struct Jump {
  Context* from;
  Context* to;
};

/// Which exceptions are being handled the C++ runtime records for each thread, in two words
/// (Itanium C++ ABI: Exception Handling, 2.2.2); they belong to the context.
void* exception_record() {
  static void* const record = abi::__cxa_get_globals();  // contexts stay on their thread
  return record;
}

/// In the context that has just been entered, before anything else.
void arrive(const fcontext::transfer_t& transfer) {
  const Jump jump = *static_cast<const Jump*>(transfer.data);
  jump.from->saved = transfer.fctx;
#if GRAPPA_ASAN
  __sanitizer_finish_switch_fiber(jump.to->fake_stack, &jump.from->stack_bottom,
                                  &jump.from->stack_bytes);
#endif
}

void first_instruction(fcontext::transfer_t transfer) {
  const Context* self = static_cast<const Jump*>(transfer.data)->to;
  arrive(transfer);
  self->entry(self->argument);
  GRAPPA_CHECK(false) << "a context's entry function returned";
}

}  // namespace

void make_context(Context* context, const Stack& stack, void (*entry)(void*), void* argument) {
  context->entry = entry;
  context->argument = argument;
  context->stack_bottom = stack.bottom();
  context->stack_bytes = stack.bytes();
  context->saved = fcontext::make_fcontext(stack.top(), stack.bytes(), first_instruction);
}

void switch_context(Context* from, Context* to) {
  Jump jump = {from, to};
  std::memcpy(from->exceptions, exception_record(), sizeof from->exceptions);
  std::memcpy(exception_record(), to->exceptions, sizeof to->exceptions);
#if GRAPPA_ASAN
  __sanitizer_start_switch_fiber(&from->fake_stack, to->stack_bottom, to->stack_bytes);
#endif
  arrive(fcontext::jump_fcontext(to->saved, &jump));
}

}  // namespace Grappa
