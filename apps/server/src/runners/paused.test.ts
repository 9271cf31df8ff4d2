import type { Source } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { neverAborted, startTestRunners, type TestRunners } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
})
afterAll(() => test.close())

const postgres: Source = { kind: 'network', engine: 'postgresql', id: 'n', settings: {}, schema: null }

it.each(['parser', 'embedded'])(
  'regression: a hung process (%s) does not count as SQL that takes too long to parse',
  async (kind) => {
    const source = kind === 'parser' ? postgres : test.source
    expect((await test.runners.inspect('SELECT 1 AS warm', source, neverAborted)).error).toBe(null)
    const [paused] = test.pids(kind)
    process.kill(paused!, 'SIGSTOP')
    expect((await test.runners.inspect('SELECT 1 AS asked', source, neverAborted)).error).toBe(null)
    expect(test.pids(kind).some((pid) => pid !== paused)).toBe(true)
  },
)
