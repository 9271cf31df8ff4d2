#!/bin/sh
# `npm start`: prepares the clone, then replaces itself with the server. `exec` lets signals reach the server directly.
cd "$(dirname "$0")/.." || exit 1
node=$(node scripts/prepare.mjs) || exit $?
PATH="$(dirname "$node"):$PATH" NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-node_modules/.cache/compile}" \
  exec "$node" $(cat apps/cli/node-flags) apps/cli/dist/server/main.js start "$@"
