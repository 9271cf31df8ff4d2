import type { Plan } from '@parquetry/model'
import { getPriority } from 'node:os'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { code, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners({ cores: 2, waiting: { perUser: 3, perSource: 5, maxUnservedMs: 1000 } })
})
afterAll(() => test.close())

let stop = new AbortController()
let pending: Promise<unknown>[] = []
afterEach(async () => {
  stop.abort()
  await Promise.all(pending)
  await until(() => test.runners.stats().running === 0)
  stop = new AbortController()
  pending = []
})

const planOf = (requester: string, sql: string): Plan => {
  const plan = test.plan(sql)
  return { ...plan, source: { ...plan.source, requester } }
}

/** Takes minutes. Each statement is another one. */
const slow = () => `SELECT count(*) AS n, '${crypto.randomUUID()}' AS id FROM numbers a, numbers b WHERE a.i + b.i = 7`

function start(requester: string, sql = slow()): Promise<unknown> {
  const result = test.runners.run(planOf(requester, sql), stop.signal).then(() => 'done', code)
  pending.push(result)
  return result
}

function startChart(requester: string, sql = slow()): Promise<unknown> {
  const plan = planOf(requester, sql)
  const admission = test.runners.admit(plan.source, 1)
  const run = () => test.runners.run(plan, stop.signal, undefined, { admission })
  const result = admission.run(run).then(() => 'done', code)
  pending.push(result)
  return result.finally(() => admission.close())
}

const waiting = () => test.runners.stats().waiting
const busy = () => test.runners.stats().running - waiting()
const isFull = () => busy() >= 3

/** Fills all slots with statements of two other users. */
async function fillSlots(): Promise<void> {
  for (const [index, requester] of ['user 1', 'user 1', 'user 2'].entries()) {
    void start(requester)
    await until(() => busy() > index)
  }
}

it('refuses a chart that waits too long for its first slot, while statements outside of charts go on waiting', async () => {
  await fillSlots()
  const statement = start('user 3')
  expect(await startChart('user 4')).toBe('source_busy')
  expect(await startChart('user 5', 'SELECT 1 AS n'), 'a quick one is answered by a try').toBe('done')
  expect(await Promise.race([statement, Promise.resolve('waiting')])).toBe('waiting')
  expect(test.runners.stats().refused).toMatchObject({ source_busy: 1 })
})

it('does not refuse a chart while another one of its user runs', async () => {
  void startChart('user 1')
  void startChart('user 1')
  await until(() => test.runners.stats().running === 2)
  void start('user 2')
  await until(isFull)
  const own = startChart('user 1')
  expect(await startChart('user 3')).toBe('source_busy')
  expect(await Promise.race([own, Promise.resolve('waiting')])).toBe('waiting')
})

it('bounds the statements that wait, for each user and in total', async () => {
  await fillSlots()
  /** The first of several statements to end, which is the one that is refused. */
  const startMany = (requester: string) => Promise.race(Array.from({ length: 6 }, () => start(requester)))
  expect(await startMany('user 1')).toBe('queries_waiting')
  void startMany('user 2')
  await until(() => waiting() >= 5)
  expect(await startMany('user 3')).toBe('source_busy')
  expect(await test.runners.inspect('SELECT 1', test.source, neverAborted)).toMatchObject({ error: null })
})

it('runs engines with a lower priority than the server', async () => {
  await test.ask('SELECT 1 AS n')
  for (const pid of test.pids('embedded')) expect(getPriority(pid)).toBeGreaterThan(0)
})
