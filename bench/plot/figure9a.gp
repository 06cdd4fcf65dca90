# Traversed edges a second of breadth-first search, against cores: queue and direction, each with
# and without combining, and tuned.

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
set ylabel "million traversed edges a second"
set key outside above horizontal maxrows 2

plot data using 1:"tuned" with linespoints linetype centralized title "tuned", \
     data using 1:"direction.distributed" with linespoints linetype distributed \
       title "direction, combining", \
     data using 1:"direction.none" with linespoints linetype none title "direction, none", \
     data using 1:"queue.distributed" with linespoints linetype distributed dashtype 2 \
       title "queue, combining", \
     data using 1:"queue.none" with linespoints linetype none dashtype 2 title "queue, none"
