# Traversed edges a second of breadth-first search, against cores: queue and direction, each with
# and without combining, and tuned.

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
set ylabel "million traversed edges a second"
set key outside above horizontal maxrows 2

plot data using "cores":"tuned" with linespoints linetype centralized title "tuned", \
     data using "cores":"direction.distributed" with linespoints linetype distributed \
       title "direction, combining", \
     data using "cores":"direction.none" with linespoints linetype none title "direction, none", \
     data using "cores":"queue.distributed" with linespoints linetype distributed dashtype 2 \
       title "queue, combining", \
     data using "cores":"queue.none" with linespoints linetype none dashtype 2 title "queue, none"
