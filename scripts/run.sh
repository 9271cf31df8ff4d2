#!/bin/sh
# `npm test`, `npm run bench` and other tools: prepares the clone, then replaces itself with the script named by the first argument.
# The web interface is built for benchmarks, clients and random calls, and for tests unless all of the given paths are in packages/.
cd "$(dirname "$0")/.." || exit 1
script=$1
shift
build=--no-build
case $script in
  scripts/bench.ts | scripts/clients.ts | scripts/fuzz.ts) build= ;;
  scripts/test.ts)
    [ $# -eq 0 ] && build=
    for named in "$@"; do
      case $named in
        packages/*) ;;
        *) build= ;;
      esac
    done
    ;;
esac
node=$(node scripts/prepare.mjs --dev $build) || exit $?
PATH="$(dirname "$node"):$PATH" exec "$node" "$script" "$@"
