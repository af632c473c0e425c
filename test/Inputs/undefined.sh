#!/usr/bin/env bash
# undefined.sh OBJECT... - the symbols that objects leave undefined, but those of libc, libm, libomp
# and the runtime: nothing is to be left.  Fails where something is, or where an object has none.
for object; do
  found=$(llvm-nm-22 --undefined-only --just-symbol-name "$object" | sed 's/^ *//') || exit 1
  grep -q '^lac_' <<<"$found" || { echo "$object: calls no runtime"; exit 1; }
  left=$(grep -vxE 'lac_\w+|__kmpc_\w+|omp_\w+|mem(cpy|set|move|cmp|chr)|malloc|free|a?(sin|cos|tan)h?f?|atan2f?|(exp2?|expm1|log|log2|log10|log1p|pow|sqrt|cbrt|erfc?|fmod|hypot|floor|ceil|trunc|round|roundeven|rint|nearbyint|fma|fmin|fmax|fabs|copysign|tgamma|lgamma|ldexp)f?|c(exp|log|pow|sqrt|sin|cos|tan|abs|arg)f?|sincosf?' <<<"$found")
  [ -z "$left" ] || { printf '%s: undefined %s\n' "$object" $left; exit 1; }
done
echo "nothing is left"
