#!/usr/bin/env bash
# What a build does: upload with curl, and fail when curl does. Arguments: address of the uploads, file, commit, further parameters.
set -euo pipefail
curl -sS --fail-with-body -T "$2" "$1?label=commit=$3&gate=1${4:+&$4}"
