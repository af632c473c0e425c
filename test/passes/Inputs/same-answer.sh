# same-answer.sh FOLDER RESULT SCHEDULES ARGUMENT...
# Runs sparse-run with the arguments once as it is and once with each line of SCHEDULES, and says
# for each schedule whether the answer, in RESULT.tns, is the same.
folder=$1 result=$2 schedules=$3
shift 3
mkdir -p "$folder"
sparse-run "$@" -o "$result:$folder/plain.tns" || exit 1
while read -r schedule; do
  rm -f "$folder/scheduled.tns"
  sparse-run "$@" -o "$result:$folder/scheduled.tns" -s "$schedule"
  cmp -s "$folder/plain.tns" "$folder/scheduled.tns" && echo "same: $schedule" || echo "DIFFERENT: $schedule"
done <<<"$schedules"
