#!/bin/sh
# `npm test`, `npm run bench` and other tools: get ready, then become the script that is named first. The web is built for those that
# open its pages: benchmarks, and tests unless they are named and all of packages.
cd "$(dirname "$0")/.." || exit 1
script=$1
shift
build=--no-build
case $script in
  scripts/bench.ts) build= ;;
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
