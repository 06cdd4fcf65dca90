# Operations of the stack for each combined message, against cores.

format = ARG1
data = ARG2
drawing = ARG3
x_label = ARG4
width = 600
height = 420
load "style.gp"
load "against_cores.gp"

buffer = 1024
set yrange [0 : *]
set xlabel x_label
set ylabel "operations for each combined message"
set key above horizontal maxrows 1

plot data using 1:"mixed" with linespoints linetype distributed title "pushes and pops", \
     data using 1:"push" with linespoints linetype centralized title "only pushes", \
     buffer with lines linetype none dashtype 2 title "combining buffer"
