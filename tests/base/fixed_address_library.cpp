/// A shared library linked at a fixed address, like the shared libraries of Grappa. Two libraries
/// are built from this source, at the same address.

namespace {

int object = 0;

}  // namespace

const void* object_of_fixed_address_library() { return &object; }
