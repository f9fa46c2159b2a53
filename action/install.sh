#!/usr/bin/env bash
# Installs the command for the steps after it: of a package, or of the sources that this file is part of.
set -euo pipefail

if [ -n "${TAILBOARD_PACKAGE:-}" ]; then
  place=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/tailboard
  npm install --global --no-audit --no-fund --loglevel=error --prefix "$place" "$TAILBOARD_PACKAGE" >&2
  command=$place/bin/tailboard
else
  root=$(cd "$(dirname "$0")/.." && pwd)
  command=$root/dist/cli.mjs
  if [ ! -x "$command" ]; then
    cd "$root"
    npm ci --no-audit --no-fund --loglevel=error >&2
    npm run -s build:cli >&2
  fi
fi
"$command" --version >&2
if [ -n "${GITHUB_OUTPUT:-}" ]; then printf 'command=%s\n' "$command" >> "$GITHUB_OUTPUT"; else printf '%s\n' "$command"; fi
