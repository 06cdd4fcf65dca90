# Draws a piece of a trace (--trace=FILE) as an SVG, for pages that cannot hold a viewer.
#
#   awk -f docs/trace_picture.awk begin=BEGIN span=LENGTH FILE >PICTURE
#
# BEGIN and LENGTH are microseconds; a BEGIN below 0 counts from the end. Each core is a row: on top
# what ran, below it buffers and the handlers in them, as deep as they nest; arrows are buffers on
# their way. The file has a line for each event, those of a core in the order of their time.

# What stands behind a key, as it is written: a text without its quotes, a number.
function value(key, rest, end) {
  rest = substr($0, index($0, "\"" key "\":") + length(key) + 3)
  if (rest !~ /^"/) {
    match(rest, /^-?[0-9.]+/)
    return substr(rest, 1, RLENGTH)
  }
  match(rest, /^"([^"\\]|\\.)*"/)
  rest = substr(rest, 2, RLENGTH - 2)
  gsub(/\\"/, "\"", rest)
  return rest
}

function kind(name, category) {
  if (name ~ /^send to /) return "send"
  return name == "several runs" ? name : category
}

function escaped(text) {
  gsub(/&/, "\\&amp;", text)
  gsub(/</, "\\&lt;", text)
  gsub(/>/, "\\&gt;", text)
  return text
}

function x(time) {
  if (time < begin) time = begin
  if (time > begin + span) time = begin + span
  return left + (time - begin) * (width - left - 10) / span
}

function y(core, depth) { return top + row * core + bar * depth }

function nanoseconds(time) { return int(time * 1000 + 0.5) }

# How many slices of the same core this one lies in. In nanoseconds, which add up exactly.
function depth_of(slice, core) {
  core = core_of[slice]
  while (open[core] && ends[core, open[core]] <= nanoseconds(from[slice])) --open[core]
  ends[core, ++open[core]] = nanoseconds(from[slice]) + nanoseconds(lasts[slice])
  return open[core] - 1
}

function draw_slice(slice, depth, x0, x1, y0) {
  x0 = x(from[slice])
  x1 = x(from[slice] + lasts[slice])
  y0 = y(core_of[slice], depth)
  printf "<rect x=\"%.1f\" y=\"%d\" width=\"%.1f\" height=\"%d\" fill=\"%s\" stroke=\"#888\" ",
    x0, y0, (x1 - x0 > 0.6 ? x1 - x0 : 0.6), bar - 1, colour[kind_of[slice]]
  printf "stroke-width=\"0.3\"><title>%s</title></rect>\n", escaped(name_of[slice])
  if (x1 - x0 > 7 * length(name_of[slice]) + 4) {
    printf "<text x=\"%.1f\" y=\"%d\">%s</text>\n", x0 + 3, y0 + 12, escaped(name_of[slice])
  }
}

function draw_arrow(arrow, x1, y1) {
  x1 = x(arrives[arrow])
  y1 = y(to[arrow], 0.5)
  printf "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#444\" ",
    x(sent[arrow]), y(sender[arrow], 0.5), x1, y1
  printf "stroke-width=\"0.8\"/><circle cx=\"%.1f\" cy=\"%.1f\" r=\"2\"/>\n", x1, y1
}

BEGIN {
  width = 960; left = 70; top = 44; deepest = 3; bar = 16
  row = deepest * bar + 26
  kinds = split("work,several runs,idle,buffer,send,handler", kind_named, ",")
  split("#8fb8de #c9dcef #eeeeee #f2c879 #d98e73 #9fce9a", colours, " ")
  for (k = 1; k <= kinds; ++k) colour[kind_named[k]] = colours[k]
}

/^\{"ph":"[Xsf]"/ {
  time = value("ts") + 0
  core = value("pid") + 0
  if (time > latest) latest = time
  if (core >= cores) cores = core + 1
}

/^\{"ph":"X"/ {
  from[++slices] = time
  lasts[slices] = value("dur") + 0
  core_of[slices] = core
  name_of[slices] = value("name")
  kind_of[slices] = kind(name_of[slices], value("cat"))
}

/^\{"ph":"[sf]".*"cat":"buffer"/ {
  id = value("id")
  if (/^\{"ph":"s"/) {
    sent[id] = time
    sender[id] = core
  } else {
    arrives[id] = time
    to[id] = core
    arrival[++arrivals] = id
  }
}

END {
  if (!cores || span <= 0 || begin == "") {
    print "trace_picture: takes begin=, span= and a file that --trace has written" >"/dev/stderr"
    exit 2
  }
  if (begin < 0) begin += latest
  height = top + row * cores + 24
  printf "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" ", width, height
  print "font-family=\"sans-serif\" font-size=\"11\">"
  print "<rect width=\"100%\" height=\"100%\" fill=\"white\"/>"
  for (k = 1; k <= kinds; ++k) {
    at = left + 100 * (k - 1)
    printf "<rect x=\"%d\" y=\"10\" width=\"14\" height=\"14\" fill=\"%s\" stroke=\"#888\"/>",
      at, colours[k]
    printf "<text x=\"%d\" y=\"21\">%s</text>\n", at + 20, kind_named[k]
  }
  for (core = 0; core < cores; ++core) {
    printf "<text x=\"8\" y=\"%d\">core %d</text>\n", y(core, 0) + 12, core
  }
  for (k = 1; k <= slices; ++k) {
    depth = depth_of(k)
    shown = from[k] <= begin + span && from[k] + lasts[k] >= begin
    if (shown && depth < deepest) draw_slice(k, depth)
  }
  for (k = 1; k <= arrivals; ++k) {
    id = arrival[k]
    if (id in sent && sent[id] >= begin && arrives[id] <= begin + span) draw_arrow(id)
  }
  printf "<text x=\"%d\" y=\"%d\">%g microseconds</text></svg>\n", left, height - 8, span
}
