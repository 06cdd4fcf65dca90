# Edges a second of connected components, against cores: kahan with and without combining the set of
# cross edges and with and without its cache of known keys, and tuned.

format = ARG1
data = ARG2
drawing = ARG3
width = 700
height = 460
load "style.gp"

set logscale y 10
set format y "%g"
set logscale x 2
set xtics (1, 2, 4, 8)
set xrange [0.9 : 8.9]
set xlabel "cores"
set ylabel "million edges a second"
set key outside above horizontal maxrows 2

plot data using "cores":"tuned" with linespoints linetype centralized title "tuned", \
     data using "cores":"kahan.distributed" with linespoints linetype distributed \
       title "kahan, combining and cache", \
     data using "cores":"kahan.uncached" with linespoints linetype uncached \
       title "kahan, combining", \
     data using "cores":"kahan.none" with linespoints linetype none title "kahan, none"
