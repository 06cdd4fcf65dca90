# The rooms and the floor that each is on: the table of system/README.md that grappa_room()
# and check_floors hold everybody to. A room sees the rooms of lower floors, and nothing else of ours.

set(GRAPPA_FLOOR_base 0)
set(GRAPPA_FLOOR_observe 1)
set(GRAPPA_FLOOR_tasking 2)
set(GRAPPA_FLOOR_net 2)
set(GRAPPA_FLOOR_sync 3)
set(GRAPPA_FLOOR_message 4)
set(GRAPPA_FLOOR_global 5)
set(GRAPPA_FLOOR_parallel 6)
set(GRAPPA_FLOOR_structures 7)
set(GRAPPA_FLOOR_runtime 7)

# Bottom floor first.
set(GRAPPA_ROOMS base observe tasking net sync message global parallel structures runtime)
