#!/bin/sh
# `npm test`, `npm run bench` and other tools: get ready, then become the script that is named first.
cd "$(dirname "$0")/.." || exit 1
script=$1
shift
node=$(node scripts/prepare.mjs --dev) || exit $?
PATH="$(dirname "$node"):$PATH" exec "$node" "$script" "$@"
