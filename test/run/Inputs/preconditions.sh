# preconditions.sh TABLE: a statement with its formats ("-f"), then schedules, "->", what is said of each: anew.
while IFS= read -r line; do
  case $line in
  *' = '*) read -ra formats <<<"${line#* -f }"; statement=${line%% -f *}; formats=(-f "${formats[@]}"); echo "$line"; continue ;;
  esac
  schedule=${line%% ->*}
  if said=$(sparse-run "$statement" "${formats[@]}" --emit mlir -s "$schedule" 2>&1 >/dev/null | grep -v '^remark'; exit "${PIPESTATUS[0]}"); then
    said=legal
  fi
  echo "$schedule -> ${said#"error: "}"
done <"$1"
