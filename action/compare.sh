#!/usr/bin/env bash
# Compares the outputs of two versions in a build, without a server: what action.yml and gitlab.yml run.
# Reads TAILBOARD_* (see docs/ci.md) and the variables of the build; writes tailboard.md, a page, and what the build shows.
# Exits with 0, 1 (worse or failing), 2 (unreadable) or 3 (undecided, with TAILBOARD_FAIL_ON=undecided).
# Not -u: the bash of macOS takes an empty list for an unset one.
set -eo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
html=${TAILBOARD_HTML:-tailboard.html}
summary=${TAILBOARD_SUMMARY:-tailboard.md}
fail_on=${TAILBOARD_FAIL_ON:-worse}

# annotate LEVEL TEXT: beside the job on GitHub, a line of its log elsewhere.
annotate() {
  if [ "${GITHUB_ACTIONS:-}" = true ]; then
    local text=${2//'%'/%25}
    text=${text//$'\r'/}
    printf '::%s title=Tailboard::%s\n' "$1" "${text//$'\n'/%0A}"
  else
    printf '%s: %s\n' "$1" "$2" >&2
  fi
}
# finish VERDICT CODE: what later steps read.
finish() {
  if [ -n "${GITHUB_STEP_SUMMARY:-}" ] && [ -s "$summary" ]; then cat "$summary" >> "$GITHUB_STEP_SUMMARY"; fi
  if [ -n "${GITHUB_OUTPUT:-}" ]; then
    printf 'verdict=%s\nsummary=%s\n' "$1" "$summary" >> "$GITHUB_OUTPUT"
    if [ -f "$html" ]; then printf 'html=%s\n' "$html" >> "$GITHUB_OUTPUT"; fi
  fi
  exit "$2"
}
refuse() {
  annotate error "$1"
  finish unreadable 2
}
# without_base TEXT: the first build of a repository has nothing to be compared with, and passes.
without_base() {
  annotate notice "$1"
  printf '%s\n' "$1" > "$summary"
  finish none 0
}
# lines TEXT: one word for each line that is not empty, in the array `words`.
lines() {
  words=()
  local line
  while IFS= read -r line; do
    line=${line#"${line%%[![:space:]]*}"}
    line=${line%"${line##*[![:space:]]}"}
    if [ -n "$line" ]; then words+=("$line"); fi
  done <<< "$1"
}

rm -f "$summary" "$html"
case $fail_on in worse | undecided | never) ;; *) refuse "fail-on is worse, undecided or never, not $fail_on" ;; esac
lines "${TAILBOARD_HEAD:-}"
head=("${words[@]}")
[ "${#head[@]}" -gt 0 ] || refuse 'head is missing: the outputs of the version that is judged'
lines "${TAILBOARD_BASE:-}"
base=("${words[@]}")

if [ -n "${TAILBOARD_BASE_REF:-}" ]; then
  # The outputs as another commit has them. Only a shallow checkout lacks it: to fetch into another would cut its history.
  [ "${#base[@]}" -gt 0 ] || base=("${head[@]}")
  ref=''
  for name in "refs/remotes/origin/$TAILBOARD_BASE_REF" "$TAILBOARD_BASE_REF"; do
    [ -n "$ref" ] || ref=$(git rev-parse --quiet --verify "$name^{commit}" || true)
  done
  if [ -z "$ref" ] && git fetch --quiet --depth=1 origin "$TAILBOARD_BASE_REF" 2> /dev/null; then ref=FETCH_HEAD; fi
  [ -n "$ref" ] || refuse "There is no commit $TAILBOARD_BASE_REF"
  if ! git archive --format=tar "$ref" -- "${base[@]}" 2> /dev/null > "$scratch/base.tar"; then
    without_base "$TAILBOARD_BASE_REF has no ${base[*]}: nothing to compare with."
  fi
  mkdir "$scratch/base"
  tar -xf "$scratch/base.tar" -C "$scratch/base"
  base=("${base[@]/#/$scratch/base/}")
elif [ -n "${TAILBOARD_BASE_ARTIFACT:-}" ]; then
  # What the newest good run of this workflow on the base branch left.
  branch=${TAILBOARD_BASE_BRANCH:-${GITHUB_BASE_REF:-main}}
  workflow=${GITHUB_WORKFLOW_REF:-}
  workflow=${workflow%%@*}
  workflow=${TAILBOARD_BASE_WORKFLOW:-${workflow##*/}}
  run=$(gh run list --branch "$branch" --workflow "$workflow" --status success --limit 1 --json databaseId --jq '.[].databaseId')
  mkdir "$scratch/base"
  if [ -z "$run" ] || ! gh run download "$run" --name "$TAILBOARD_BASE_ARTIFACT" --dir "$scratch/base" >&2; then
    without_base "No run of $workflow on $branch left an artifact $TAILBOARD_BASE_ARTIFACT: nothing to compare with."
  fi
  if [ "${#base[@]}" -gt 0 ]; then base=("${base[@]/#/$scratch/base/}"); else base=("$scratch/base"); fi
fi
[ "${#base[@]}" -gt 0 ] || refuse 'base is missing: a path, base-ref or base-artifact'

options=(--md --strict --html "$html")
if [ -n "${TAILBOARD_METRICS:-}" ]; then options+=(--metrics "$TAILBOARD_METRICS"); fi
if [ "${TAILBOARD_STEADY:-}" = true ]; then options+=(--steady); fi
code=0
"${TAILBOARD_COMMAND:-tailboard}" compare "${options[@]}" "${base[@]}" -- "${head[@]}" > "$summary" 2> "$scratch/errors" || code=$?
cat "$scratch/errors" >&2
cat "$summary"
# The first line of the summary, without its stars.
said=$(sed -n '/[^[:space:]]/{s/\*\*//g;p;q;}' "$summary")
case $code in
  0) finish passed 0 ;;
  1)
    if [ "$fail_on" = never ]; then annotate warning "$said"; finish worse 0; fi
    annotate error "$said"
    finish worse 1
    ;;
  3)
    said="Undecided: ${said#Undecided: }"
    if [ "$fail_on" = undecided ]; then annotate error "$said"; finish undecided 3; fi
    annotate warning "$said"
    finish undecided 0
    ;;
  *) refuse "$(tail -n 5 "$scratch/errors")" ;;
esac
