#!/usr/bin/env bash
# point-cloud.sh - a submanifold layer of a network on a point cloud: the voxels of a sphere, of 4
# channels, become as many voxels of 8. Nothing spreads to voxels that are not there.
#
#   examples/convolution/point-cloud.sh [BUILD_FOLDER]
#
# A voxel is an entry of three compressed levels, its channels are a dense one. The first channel of
# each voxel of the result is compared with the sum over its neighbours, added up by awk.
set -euo pipefail
bin=$(cd "${1:-build}" && pwd)/bin
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

awk -v n=32 -v radius=12 'BEGIN {
  middle = (n + 1) / 2
  for (x = 1; x <= n; x++)
    for (y = 1; y <= n; y++)
      for (z = 1; z <= n; z++) {
        far = sqrt((x - middle)^2 + (y - middle)^2 + (z - middle)^2)
        if (far > radius - 0.5 && far <= radius + 0.5) print x, y, z, 1
      }
}' >sites.tns
awk '{ for (c = 1; c <= 4; c++) print $1, $2, $3, c, (7 * $1 + 3 * $2 + $3 + c) % 5 + 1 }' \
  sites.tns >cloud.tns
awk 'BEGIN {
  for (p = 1; p <= 3; p++) for (q = 1; q <= 3; q++) for (r = 1; r <= 3; r++)
    for (c = 1; c <= 4; c++) for (o = 1; o <= 8; o++)
      print p, q, r, c, o, (p + 2 * q + 3 * r + c * o) % 7 + 1
}' >weights.tns

"$bin/sparse-run" \
  'Y(x,y,z,o) = Sites(x,y,z) * Cloud[pad](x+p-1,y+q-1,z+r-1,c) * W(p,q,r,c,o)' \
  -i Sites:sites.tns -f Sites:csf -i W:weights.tns -f W:dense -i Cloud:cloud.tns \
  -f 'Cloud:(x, y, z, c) -> (x : compressed, y : compressed, z : compressed, c : dense)' \
  -f 'Y:(x, y, z, o) -> (x : compressed, y : compressed, z : compressed, o : dense)' \
  -t Sites:i64 -t Cloud:i64 -t W:i64 -t Y:i64 -d p:3 -d q:3 -d r:3 -o Y:layer.tns

awk 'FNR == 1 { file++ }
     file == 1 { cloud[$1, $2, $3, $4] = $5; if ($4 == 1) sites++ }
     file == 2 && $5 == 1 { w[$1, $2, $3, $4] = $6 }
     file == 3 && $4 == 1 && ($1, $2, $3, 1) in cloud {
       sum = 0
       for (p = 1; p <= 3; p++) for (q = 1; q <= 3; q++) for (r = 1; r <= 3; r++)
         for (c = 1; c <= 4; c++)
           sum += cloud[$1 + p - 2, $2 + q - 2, $3 + r - 2, c] * w[p, q, r, c]
       voxels++
       wrong += sum != $5
     }
     END {
       printf "%d voxels in, %d out, %d wrong\n", sites, voxels, wrong
     }' cloud.tns weights.tns layer.tns
