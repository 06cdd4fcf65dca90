# Operations a second of set and map against the number of locales, for a small and a large range of keys:
# without combining, with combining, and, for the set, with combining and a cache of known keys.

format = ARG1
data = ARG2
drawing = ARG3
x_label = ARG4
width = 900
height = 640
load "style.gp"
load "against_cores.gp"
set logscale y 10
set format y "%g"

set multiplot layout 2, 2 margins char left, right, bottom, 6 spacing char 8, 4.5
set key at screen 0.5, 0.985 center top vertical
do for [structure in "set map"] {
  do for [range in "10 20"] {
    set title structure.", keys from a range of 2^{".range."}"
    set xlabel (structure eq "map" ? x_label : "")
    set ylabel (range eq "10" ? "million operations a second" : "")
    if (structure eq "set" && range eq "10") { set key on } else { set key off }
    columns = structure." ".range." "
    # Only the set has a cache. In the panels of the map, this curve is empty.
    cached(value) = structure eq "set" ? value : NaN
    combined = columns.(structure eq "set" ? "uncached" : "distributed")
    plot data using 1:columns."none" with linespoints linetype none title "no combining", \
         data using 1:combined with linespoints linetype uncached title "combining on each core", \
         data using 1:(cached(column(columns."distributed"))) with linespoints \
           linetype distributed title "the same and a cache of known keys (set only)"
  }
}
unset multiplot
