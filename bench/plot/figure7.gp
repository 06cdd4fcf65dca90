# Operations of the stack for each combined message, against cores.

format = ARG1
data = ARG2
drawing = ARG3
width = 600
height = 420
load "style.gp"

buffer = 1024
set logscale x 2
set xtics (2, 4, 8)
set xrange [1.8 : 8.9]
set yrange [0 : *]
set xlabel "cores"
set ylabel "operations for each combined message"
set key above horizontal maxrows 1

plot data using "cores":"mixed" with linespoints linetype distributed title "pushes and pops", \
     data using "cores":"push" with linespoints linetype centralized title "only pushes", \
     buffer with lines linetype none dashtype 2 title "combining buffer"
