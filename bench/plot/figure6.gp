# Operations a second against cores: stack and queue, only pushes or half pushes and half pops; each
# without combining, with combining at the master, and with combining on each core. Also pushes
# without a global structure, to an array of core 0.

format = ARG1
data = ARG2
drawing = ARG3
x_label = ARG4
width = 900
height = 780
load "style.gp"
load "against_cores.gp"

# All panels have the same scale for comparison.
low = 1e300
high = 0
do for [column = 2:19] {
  stats data using column nooutput
  if (STATS_min < low) { low = STATS_min }
  if (STATS_max > high) { high = STATS_max }
}
set logscale y 10
set yrange [10 ** floor(log10(low)) : 10 ** ceil(log10(high) + 0.05)]
set format y "10^{%L}"

set multiplot layout 2, 2 margins char left, right, bottom, 7.5 spacing char 8, 4.5
set key at screen 0.5, 0.985 center top vertical maxrows 3
do for [mix in "push mixed"] {
  do for [structure in "stack queue"] {
    set title structure.(mix eq "push" ? ", only pushes" : ", pushes and pops")
    set xlabel (mix eq "mixed" ? x_label : "")
    set ylabel (structure eq "stack" ? "million operations a second" : "")
    if (mix eq "push" && structure eq "stack") { set key on } else { set key off }
    columns = structure." ".mix." "
    # The programs without a structure only push. In the other panels, these curves are empty.
    plain(value) = mix eq "push" ? value : NaN
    plot data using 1:columns."none" with linespoints linetype none title "no combining", \
         data using 1:columns."centralized" with linespoints linetype centralized \
           title "combining at the master", \
         data using 1:columns."distributed" with linespoints linetype distributed \
           title "combining on each core", \
         data using 1:(plain(column(structure." append"))) with linespoints linetype append \
           title "delegate calls that append", \
         data using 1:(plain(column(structure." append_async"))) with linespoints \
           linetype append_async title "the same, asynchronous", \
         data using 1:(plain(column(structure." reserve"))) with linespoints \
           linetype reserve title "reservation and write"
  }
}
unset multiplot
