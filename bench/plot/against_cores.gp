# A logarithmic x axis for numbers of cores or locales, in the first column.

stats data using 1 nooutput
set logscale x 2
set xrange [0.9 * STATS_min : 1.1 * STATS_max]
