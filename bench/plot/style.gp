# The style of all pictures. A script first sets `format`, svg or png; `data`, a CSV file with a
# heading for each column; `drawing`, the output file; and its size in pixels, `width` and `height`.

if (format eq "svg") \
  set terminal svg size width, height enhanced font "sans-serif,13" background "white"
if (format eq "png") \
  set terminal pngcairo size width, height enhanced font "sans-serif,11" background "white"
set output drawing
set datafile separator ","
set datafile columnheaders

# The colours are distinguishable with colour blindness, and the points without colours.
set linetype 1 linecolor rgb "#888888" linewidth 2 pointtype 4 pointsize 0.9
set linetype 2 linecolor rgb "#d55e00" linewidth 2 pointtype 9 pointsize 1.1
set linetype 3 linecolor rgb "#0072b2" linewidth 2 pointtype 7 pointsize 0.9
set linetype 4 linecolor rgb "#009e73" linewidth 2 pointtype 5 pointsize 0.9
set linetype 5 linecolor rgb "#56b4e9" linewidth 1.5 dashtype 2 pointtype 6 pointsize 0.9
set linetype 6 linecolor rgb "#e69f00" linewidth 1.5 dashtype 2 pointtype 8 pointsize 0.9
set linetype 7 linecolor rgb "#cc79a7" linewidth 1.5 dashtype 2 pointtype 12 pointsize 0.9
none = 1
centralized = 2
distributed = 3
uncached = 4
append = 5
append_async = 6
reserve = 7

set border 3 linecolor rgb "#444444"
set tics nomirror
set grid ytics linecolor rgb "#dddddd" linewidth 1
set key reverse Left samplen 2

# The margins around several panels; the top margin is larger, for the common key.
left = 9
right = 2
bottom = 3.5
