#!/bin/sh
# Two commands in rounds: each once a round, so that what differs is not the machine's drift. Which of them comes first is drawn
# beforehand, each in half of the rounds.
# usage: TAILBOARD=http://127.0.0.1:3000/api/v1/projects/my-project rounds.sh 8 main 'hey … :8080/' branch 'hey … :8081/'
set -eu
rounds=$1 base=$2 base_command=$3 head=$4 head_command=$5
experiment=$(date -u +%Y%m%dT%H%M%SZ)
out=$(mktemp)
trap 'rm -f "$out"' EXIT
encode() { printf %s "$1" | od -An -tx1 -v | tr -d ' \n' | sed 's/../%&/g'; }
run() {
  started=$(date -u +%Y-%m-%dT%H:%M:%SZ)
  sh -c "$2" > "$out"
  curl -sS --fail-with-body -T "$out" "$TAILBOARD/uploads?scenario=$(encode "${SCENARIO:-rounds}")&variant=$(encode "$1")&startedAt=$started&again=1&label=rounds=$rounds&label=round=$round&label=order=drawn&label=experiment=$experiment"
}
# Half of the rounds begin with either, shuffled; a coin says which begins one more where their number is odd.
orders=$(
  coin=$(($(od -An -N1 -tu1 /dev/urandom) % 2))
  round=1
  while [ "$round" -le "$rounds" ]; do
    echo "$(od -An -N4 -tu4 /dev/urandom | tr -d ' ') $(((round + coin) % 2))"
    round=$((round + 1))
  done | sort -n | cut -d ' ' -f 2
)
round=1
for order in $orders; do
  if [ "$order" -eq 0 ]; then
    run "$base" "$base_command"
    run "$head" "$head_command"
  else
    run "$head" "$head_command"
    run "$base" "$base_command"
  fi
  round=$((round + 1))
done
