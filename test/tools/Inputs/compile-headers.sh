# compile-headers.sh ROOT "C COMPILER..." "C++ COMPILER..."
# Compiles each header of the rooms alone, and fails after the last if one of them does not.
root=$1 cc=$2 cxx=$3
failed=0
for header in "$root"/{dialects,passes,lower,compile,runtime}{,/*}/*.h "$root"/tools/*.h; do
  [ -e "$header" ] || continue
  $cc -fsyntax-only -x c -include "$header" /dev/null || { echo "as C: $header"; failed=1; }
  $cxx -fsyntax-only -x c++ -include "$header" /dev/null || { echo "as C++: $header"; failed=1; }
done
exit $failed
