# Counts the components of a file of edges by a union-find. Lines have two ids, starting at 0. With
# -v vertices=N, the file is a Matrix Market file of N vertices without its first two lines, and ids
# start at 1. Prints the number of components and the size of the largest.
function find(v) {
  while (parent[v] != v) v = parent[v] = parent[parent[v]]
  return v
}
function know(v) {
  if (v > last) last = v
  if (!(v in parent)) parent[v] = v
}
vertices && NR <= 2 { next }
{
  know($1 - (vertices > 0))
  know($2 - (vertices > 0))
  a = find($1 - (vertices > 0))
  b = find($2 - (vertices > 0))
  parent[a] = b
}
END {
  if (vertices) last = vertices - 1
  for (v = 0; v <= last; ++v) {
    root = v in parent ? find(v) : v
    if (++size[root] == 1) ++components
    if (size[root] > largest) largest = size[root]
  }
  print components, largest
}
