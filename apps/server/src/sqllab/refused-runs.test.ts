import { afterAll, beforeAll, expect, it } from 'vitest'
import { newId, startTestLab, type TestLab } from './testing.ts'

let lab: TestLab
beforeAll(async () => {
  lab = await startTestLab({}, { cores: 2, waiting: { perUser: 1, perSource: 5 } })
}, 60_000)
afterAll(() => lab.close())

const endless = 'SELECT count(*) AS n FROM range(10000000000000) WHERE hash(range) = 1'

/** Starts statements until one more of the user is refused. @returns a function that stops them */
async function fillQueue(): Promise<() => Promise<void>> {
  const ids = [newId(), newId(), newId()]
  const runs: Promise<unknown>[] = []
  for (const client_id of ids) {
    runs.push(lab.run(`${endless} -- ${client_id}`, { client_id }))
    await expect.poll(() => lab.runners.stats().running, { timeout: 20_000 }).toBeGreaterThanOrEqual(runs.length)
  }
  await expect.poll(() => lab.runners.stats().waiting).toBe(1)
  return async () => {
    for (const client_id of ids) await lab.server.as('admin').post('/api/v1/query/stop', { client_id })
    await Promise.all(runs)
  }
}

it('a refused run is recorded as failed, and its client id may be used again until it has started', async () => {
  const empty = await fillQueue()
  const runs = { now: newId(), background: newId() }
  const run = (client_id: string, sql_editor_id = '7') =>
    lab.run('SELECT 1 AS one', { client_id, sql_editor_id, runAsync: client_id === runs.background })

  const refused = await run(runs.now)
  expect(refused.statusCode, refused.body).toBe(429)
  expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
  expect(refused.json()).toMatchObject({ errors: [{ extra: { retryAfter: expect.any(Number) as number } }] })
  expect((await run(runs.background)).statusCode).toBe(202)
  for (const id of Object.values(runs)) {
    const extra = { code: 'queries_waiting', retryAfter: expect.any(Number) as number }
    expect(await lab.until(id, 'failed')).toMatchObject({ extra: { errors: [{ extra }] } })
  }
  expect((await run(runs.now)).statusCode, 'again refused').toBe(429)

  await empty()
  expect((await run(runs.now, '8')).statusCode, 'of another tab').toBe(409)
  expect((await run(runs.now)).json()).toMatchObject({ data: [{ one: 1 }] })
  expect((await run(runs.background)).statusCode).toBe(202)
  for (const id of Object.values(runs)) {
    const { errorMessage, extra, rows } = await lab.until(id, 'success')
    expect([errorMessage, extra['errors'], rows]).toEqual([null, undefined, 1])
    expect((await run(id)).statusCode, 'it has run').toBe(409)
  }
})
