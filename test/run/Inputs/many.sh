# many.sh WHAT COUNT: runs a statement with that many factors, terms, reductions or variables, on small operands that
# all come from one file.  The files g.mtx, g.tns and v.tns lie here.
n=$2
each() { seq "$1" "$2" | sed "s/.*/$3/" | paste -sd"$4"; }
case $1 in
train) # s = A0(i0,i1)*A1(i1,i2)*...
  text="s = $(seq 0 $((n - 1)) | awk '{print "A" $1 "(i" $1 ",i" $1 + 1 ")"}' | paste -sd'*')"
  operands=$(each 0 $((n - 1)) '-i A&:g.mtx -f A&:csr' ' ') ;;
sum | product)
  text="s(i) = $(each 1 "$n" 'x&(i)' "$([ "$1" = sum ] && echo + || echo '*')")"
  operands=$(each 1 "$n" '-i x&:v.tns -f x&:compressed' ' ') ;;
mixed) # every third one is dense
  text="s(i) = $(each 1 "$n" 'x&(i)' -)"
  operands=$(seq "$n" | awk '{print "-i x" $1 ":v.tns -f x" $1 ":" ($1 % 3 ? "compressed" : "dense")}' | paste -sd' ') ;;
reductions)
  text="s(i) = $(each 1 "$n" 'A&(i,j&)*x&(j&)' +)"
  operands=$(each 1 "$n" '-i A&:g.mtx -f A&:csr -i x&:g.tns' ' ') ;;
esac
shift 2
sparse-run "$text" $operands -o s:- "$@"
