# padding.sh EXPRESSION FORMATS OPTION...: runs the expression with X in each of the formats.
expression=$1 formats=$2
shift 2
for format in $formats; do
  sparse-run "$expression" -g X:0.5 -f "X:$format" "$@" --verify || exit 1
done
