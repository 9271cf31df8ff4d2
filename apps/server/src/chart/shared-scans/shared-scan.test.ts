import type { RunHeader, SharedScanPlan } from '@parquetry/model'
import { expect, it, vi } from 'vitest'
import type { Runners, SharedScanResult } from '../../runners/runners.ts'
import { SharedScan } from './shared-scan.ts'
import { Semaphore } from './semaphore.ts'

const header = { rowcount: 1 } as RunHeader
const neverAborted = new AbortController().signal

/** A rollup of the queries `a` and `b` with a scripted runner. */
function createScan(runShared: Runners['runShared']) {
  const onFailure = vi.fn()
  const runSpy = vi.fn(runShared)
  const run = new SharedScan({} as SharedScanPlan, ['a', 'b'], {
    runners: { runShared: runSpy },
    semaphore: new Semaphore(1),
    onFailure,
  })
  return { run, runSpy, onFailure }
}

const answer = (index: number): SharedScanResult => ({ queryIndex: index, header, body: Buffer.from(String(index)) })

/** Yields nothing until its signal is aborted. */
const hangUntilAborted = (seen: AbortSignal[]): Runners['runShared'] =>
  async function* (_, signal) {
    seen.push(signal)
    yield await new Promise<SharedScanResult>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('stopped'))),
    )
  }

it('is built once, by the first query that waits', async () => {
  const { run, runSpy } = createScan(async function* () {
    yield answer(1)
    yield answer(0)
  })
  expect(runSpy).not.toHaveBeenCalled()
  const [a, b] = await Promise.all([run.waitFor('a', neverAborted), run.waitFor('b', neverAborted)])
  expect([String(a?.body), String(b?.body)]).toEqual(['0', '1'])
  expect(runSpy).toHaveBeenCalledTimes(1)
})

it('continues when one of two queries is aborted, and is cancelled with the last', async () => {
  const seen: AbortSignal[] = []
  const { run, onFailure } = createScan(hangUntilAborted(seen))
  const [first, second] = [new AbortController(), new AbortController()]
  const answers = [run.waitFor('a', first.signal), run.waitFor('b', second.signal)]
  await vi.waitFor(() => expect(seen).toHaveLength(1))
  first.abort()
  expect(await answers[0]).toBeNull()
  expect(seen[0]!.aborted).toBe(false)
  second.abort()
  expect(await answers[1]).toBeNull()
  expect(seen[0]!.aborted).toBe(true)
  expect(onFailure).not.toHaveBeenCalled()
})

it('lets queries run alone that fail, are refused or never get a result', async () => {
  const failing = createScan(async function* () {
    yield { queryIndex: 0, error: { code: 'unsupported', message: '' } as never, body: Buffer.alloc(0) }
    throw new Error('lost')
  })
  const { run, onFailure } = failing
  expect(await Promise.all([run.waitFor('a', neverAborted), run.waitFor('b', neverAborted)])).toEqual([null, null])
  expect(onFailure).toHaveBeenCalledTimes(1)
  expect(await run.waitFor('c', neverAborted)).toBeNull()
})

it('tasks run in order when one slot is available', async () => {
  const turns = new Semaphore(1)
  const order: string[] = []
  const held = Promise.withResolvers<void>()
  const one = turns.run(() => held.promise.then(() => void order.push('one')))
  const two = turns.run(async () => void order.push('two'))
  held.resolve()
  await Promise.all([one, two])
  expect(order).toEqual(['one', 'two'])
})
