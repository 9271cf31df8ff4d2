import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** Returns the arguments of each Node process that `scripts/run.sh` starts, using a fake Node that prints its arguments. */
function startedBy(...args: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-run-'))
  const node = join(folder, 'node')
  writeFileSync(node, '#!/bin/sh\necho "$@" >&2\necho "$0"\n')
  chmodSync(node, 0o755)
  const env = { ...process.env, PATH: `${folder}:${process.env['PATH'] ?? ''}` }
  const { stderr } = spawnSync('sh', ['scripts/run.sh', ...args], { env, encoding: 'utf8' })
  rmSync(folder, { recursive: true })
  return stderr.trim().split('\n')
}

const built = 'scripts/prepare.mjs --dev'
const unbuilt = `${built} --no-build`

it.each([
  ['scripts/bench.ts', [], built],
  ['scripts/test.ts', [], built],
  ['scripts/test.ts', ['apps/web/journeys'], built],
  ['scripts/test.ts', ['packages/charts/src/pie', 'apps/server'], built],
  ['scripts/test.ts', ['packages/charts/src/pie'], unbuilt],
])('%s %s is prepared with %s', (script, args, ready) => {
  expect(startedBy(script, ...args)).toEqual([ready, [script, ...args].join(' ')])
})

it('regression: `npm run gen` and `npm run check` do not wait for a build of the web interface', () => {
  for (const script of ['scripts/gen.ts', 'scripts/check.ts', 'scripts/lock.mjs'])
    expect(startedBy(script)).toEqual([unbuilt, script])
})
