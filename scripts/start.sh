#!/bin/sh
# `npm start`: get ready, then become the server. `exec` so that a signal reaches it and nothing is left behind.
cd "$(dirname "$0")/.." || exit 1
node=$(node scripts/prepare.mjs) || exit $?
PATH="$(dirname "$node"):$PATH" NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-node_modules/.cache/compile}" \
  exec "$node" $(cat apps/cli/node-flags) apps/cli/src/main.ts start "$@"
