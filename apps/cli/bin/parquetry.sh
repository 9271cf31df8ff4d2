#!/bin/sh
# Runs `parquetry COMMAND` (`npx parquetry COMMAND` in a clone): prepares the clone, then replaces itself with the command.
here=$0
while [ -L "$here" ]; do
  target=$(readlink "$here")
  case $target in
    /*) here=$target ;;
    *) here=$(dirname "$here")/$target ;;
  esac
done
root=$(CDPATH= cd "$(dirname "$here")/../../.." && pwd) || exit 1
case ${1-} in
  start) build='' main=dist/server/main.js ;;
  *) build=--no-build main=src/main.ts ;;
esac
node=$(node "$root/scripts/prepare.mjs" $build) || exit $?
PATH="$(dirname "$node"):$PATH" NODE_COMPILE_CACHE="${NODE_COMPILE_CACHE:-$root/node_modules/.cache/compile}" \
  exec "$node" $(cat "$root/apps/cli/node-flags") "$root/apps/cli/$main" "$@"
