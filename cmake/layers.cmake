# The layer of each module: the table of system/README.md, which grappa_module() and check_layers enforce.
# A module may use the modules of lower layers, but no module of its own layer or of a higher layer.

set(GRAPPA_LAYER_base 0)
set(GRAPPA_LAYER_observe 1)
set(GRAPPA_LAYER_tasking 2)
set(GRAPPA_LAYER_net 2)
set(GRAPPA_LAYER_sync 3)
set(GRAPPA_LAYER_message 4)
set(GRAPPA_LAYER_global 5)
set(GRAPPA_LAYER_parallel 6)
set(GRAPPA_LAYER_structures 7)
set(GRAPPA_LAYER_failure 7)
set(GRAPPA_LAYER_report 7)
set(GRAPPA_LAYER_runtime 8)

# Bottom layer first.
set(GRAPPA_MODULES base observe tasking net sync message global parallel structures failure report runtime)
