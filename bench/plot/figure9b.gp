# Edges a second of connected components, against cores: kahan with and without combining the set of
# cross edges and with and without its cache of known keys, and tuned.

format = ARG1
data = ARG2
drawing = ARG3
x_label = ARG4
width = 700
height = 460
load "style.gp"
load "against_cores.gp"

set logscale y 10
set format y "%g"
set xlabel x_label
set ylabel "million edges a second"
set key outside above horizontal maxrows 2

plot data using 1:"tuned" with linespoints linetype centralized title "tuned", \
     data using 1:"kahan.distributed" with linespoints linetype distributed \
       title "kahan, combining and cache", \
     data using 1:"kahan.uncached" with linespoints linetype uncached \
       title "kahan, combining", \
     data using 1:"kahan.none" with linespoints linetype none title "kahan, none"
