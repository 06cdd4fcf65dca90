# Makes a header fit for Doxygen, without a word of it changed.

# The comment between #pragma once and the first line behind it is about the file.
/^#pragma once/ { at_top = 1 }
at_top && /^\/\/\/ / { print "/// @file"; print "///"; at_top = 0 }
/^#include/ { at_top = 0 }

# In comments, but not in code within them: no tag, no command and no link begins with these.
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

# Doxygen 1.9 takes an alias with the name of a namespace around it for a loop.
/^namespace [A-Za-z]+ = / { print ""; next }

{ print }
