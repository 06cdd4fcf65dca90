# Converts a header for Doxygen without changing its words.

# A comment directly after #pragma once describes the file.
/^#pragma once/ { at_top = 1 }
at_top && /^\/\/\/ / { print "/// @file"; print "///"; at_top = 0 }
/^#include/ { at_top = 0 }

# Escapes characters that start tags, commands or links, in comments except in code spans.
/^ *\/\/\// && !/^ *\/\/\/     / {
  out = ""
  n = split($0, parts, "`")
  for (k = 1; k <= n; ++k) {
    if (k % 2 == 1) gsub(/[<>#@\\&]/, "\\\\&", parts[k])
    out = out (k > 1 ? "`" : "") parts[k]
  }
  print out
  next
}

# If an alias has the name of an enclosing namespace, Doxygen 1.9 reports a loop.
/^namespace [A-Za-z]+ = / { print ""; next }

{ print }
