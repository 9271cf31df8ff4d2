import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmbeddedTable } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { code, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
let home: string
beforeAll(async () => {
  test = await startTestRunners()
  home = mkdtempSync(join(tmpdir(), 'parquetry-loading-'))
})
afterAll(async () => {
  await test.close()
  rmSync(home, { recursive: true, force: true })
})

it('files of one user are loaded one after the other, beside those of another user', async () => {
  const path = join(home, 'small.csv')
  writeFileSync(path, 'a,b\n1,x\n2,y\n')
  const { style, width, columns } = await test.runners.previewFile(
    { path, format: 'csv', givenStyle: {} },
    neverAborted,
    'a',
  )
  // No process writes to this pipe, so that reading it does not end.
  const endless = join(home, 'endless.csv')
  spawnSync('mkfifo', [endless])
  const load = (name: string, from: 'small' | 'endless', who: string, signal = neverAborted) => {
    const table: EmbeddedTable = { name, file: `${name}.duckdb`, version: 1, format: 'duckdb', table: 'data' }
    const consent = { values: 'usual', lines: 'short' } as const
    const file =
      from === 'small' ? { path, style } : { path: endless, style: { ...style, encoding: 'latin-1' as const } }
    return test.runners.loadFile(
      { folder: home, table, file: { ...file, width, columns, consent }, append: null },
      signal,
      who,
    )
  }
  const stop = new AbortController()
  const first = load('first', 'endless', 'a', stop.signal).catch(code)
  await until(() => test.runners.stats().runners.some(({ id, busy }) => id === 'shared' && busy > 0))
  const order: string[] = []
  const second = load('second', 'small', 'a').finally(() => order.push('a'))
  for (let n = 0; n < 3; n++)
    expect(await load(`other${n}`, 'small', 'b').finally(() => order.push('b'))).toMatchObject({
      written: true,
      rows: 2,
    })
  stop.abort()
  expect(await first).toBe('query_stopped')
  expect(await second).toMatchObject({ written: true })
  expect(order).toEqual(['b', 'b', 'b', 'a'])
})
