import { AppError } from '@parquetry/model'
import { expect, it } from 'vitest'
import { bystanderLost, retryBystander } from './retry-bystander.ts'
import { code, neverAborted } from './testing.ts'

const options = { signal: neverAborted, timeoutMs: 60_000 }

async function run(outcomes: (AppError | string)[], timeoutMs = options.timeoutMs) {
  const timeouts: number[] = []
  const result = await retryBystander({ ...options, timeoutMs }, async (attempt) => {
    timeouts.push(attempt.timeoutMs)
    const outcome = outcomes[timeouts.length - 1]
    if (typeof outcome === 'string') return outcome
    throw outcome
  }).catch(code)
  return { result, timeouts }
}

it('reruns a job whose process was killed because of another job, within the rest of its time limit', async () => {
  const { result, timeouts } = await run([bystanderLost(), 'rows'])
  expect(result).toBe('rows')
  expect(timeouts).toHaveLength(2)
  expect(timeouts[1]).toBeLessThan(60_000)
})

it('runs a job at most twice', async () => {
  expect(await run([bystanderLost(), bystanderLost(), 'rows'])).toMatchObject({ result: 'runner_lost' })
})

it.each(['runner_lost', 'query_timeout', 'query_stopped', 'query_failed'] as const)(
  'does not repeat a job that itself failed with %s',
  async (failure) => {
    expect(await run([new AppError(failure), 'rows'])).toEqual({ result: failure, timeouts: [60_000] })
  },
)

it('does not repeat a job that has no time left', async () => {
  expect(await run([bystanderLost(), 'rows'], 0)).toEqual({ result: 'runner_lost', timeouts: [0] })
})
