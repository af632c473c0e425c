# loop-orders.sh STATEMENT OPTIONS... -- FORMATS... -- ORDERS...: the statement with its operand A in each of the
# formats and its loops in each of the orders ("chosen": as the compiler does), compared with a plain evaluation; says what does not agree.
options=() formats=() orders=() parts=0 count=0
for word in "$@"; do
  case $word:$parts in
  --:*) parts=$((parts + 1)) ;;
  *:0) options+=("$word") ;;
  *:1) formats+=("$word") ;;
  *:2) orders+=("$word") ;;
  esac
done
for format in "${formats[@]}"; do
  for order in "${orders[@]}"; do
    schedule=(-s "reorder($order)")
    [[ $order == chosen ]] && schedule=()
    said=$(sparse-run "${options[@]}" -f "A:$format" "${schedule[@]}" --verify --check 2>&1)
    if grep -qE '^verify: largest relative error (0|[0-9.]+e-1[5-9]),' <<<"$said"; then
      count=$((count + 1))
    else
      echo "$format, $order: $said"
    fi
  done
done
echo "$count agree"
