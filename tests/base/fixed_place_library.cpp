/// A shared library that is linked for a place, as those of Grappa are if they are shared. Two are
/// made of this, for the same place.

namespace {

int object = 0;

}  // namespace

const void* object_of_fixed_place_library() { return &object; }
