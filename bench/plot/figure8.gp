# Operations a second of set and map against the range of the keys: without combining, with combining,
# and, for the set, with combining and a cache of known keys.

format = ARG1
data = ARG2
drawing = ARG3
width = 1100
height = 640
load "style.gp"

range = "log2 of key range"
set xtics 8, 6, 26
set xrange [7.5 : 26.5]
set format x "2^{%.0f}"

# All panels have the same scale for comparison.
high = 0
do for [column = 2:16] {
  stats data using column nooutput
  if (STATS_max > high) { high = STATS_max }
}
set yrange [0 : 1.05 * high]

set multiplot layout 2, 3 margins char left, right, bottom, 6 spacing char 7, 4.5
set key at screen 0.5, 0.985 center top vertical
do for [structure in "set map"] {
  do for [lookups in "0 50 80"] {
    set title structure.", ".(lookups eq "0" ? "only inserts" : lookups."% lookups")
    set xlabel (structure eq "map" ? "range of the keys" : "")
    set ylabel (lookups eq "0" ? "million operations a second" : "")
    if (structure eq "set" && lookups eq "0") { set key on } else { set key off }
    columns = structure." ".lookups." "
    if (structure eq "set") {
      plot data using range:columns."none" with linespoints linetype none title "no combining", \
           data using range:columns."uncached" with linespoints linetype uncached \
             title "combining on each core", \
           data using range:columns."distributed" with linespoints linetype distributed \
             title "the same and a cache of known keys (set only)"
    } else {
      plot data using range:columns."none" with linespoints linetype none notitle, \
           data using range:columns."distributed" with linespoints linetype uncached notitle
    }
  }
}
unset multiplot
