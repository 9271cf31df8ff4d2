import { describe, expect, it, vi } from 'vitest'
import { waitingLimits } from '../concurrency/load-limits.ts'
import { type Admission, Backlog } from './backlog.ts'
import { Refusals } from './refusals.ts'
import { code } from './testing.ts'

const slots = 2
const limits = { ...waitingLimits, maxDelayMs: 2000 }

function startBacklog() {
  const refusals = new Refusals()
  return { backlog: new Backlog(slots, refusals, limits), refusals }
}

/** Runs the queries of an admission, each of which holds a slot for this time of a faked clock. */
async function finish(admission: Admission, queries: number, costMs: number): Promise<void> {
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  for (let n = 0; n < queries; n++)
    await admission.run(async () => {
      const release = admission.serve()
      now += costMs
      release()
    })
  admission.close()
  clock.mockRestore()
}

/** A backlog that has seen queries of this cost. */
async function startExperienced(costMs: number) {
  const found = startBacklog()
  await finish(found.backlog.admit('user 0', 10), 10, costMs)
  return found
}

const refusalOf = (admit: () => Admission): unknown => {
  try {
    admit()
    return null
  } catch (error) {
    return code(error)
  }
}

describe('backlog', () => {
  it('admits everything while the cost of a query is unknown', () => {
    const { backlog } = startBacklog()
    for (let user = 1; user <= 50; user++) backlog.admit(`user ${user}`, 20)
    expect(refusalOf(() => backlog.admit('user 51', 20))).toBeNull()
  })

  it('refuses a dashboard that the work of others would delay for too long, with the seconds until it would not', async () => {
    const { backlog, refusals } = await startExperienced(50)
    // 20 queries of 50 ms in two slots delay others by 500 ms.
    for (let user = 1; user <= 5; user++) backlog.admit(`user ${user}`, 20)
    expect(() => backlog.admit('user 7', 20)).toThrow(
      expect.objectContaining({
        code: 'source_busy',
        status: 503,
        details: { retryAfter: 3 },
        message: 'The database is busy. Try again in 3 seconds.',
      }),
    )
    expect(refusals.counts).toEqual({ source_busy: 1, queries_waiting: 0 })
  })

  it('does not count the work that others do after the last query of a small request', async () => {
    const { backlog } = await startExperienced(50)
    for (let user = 1; user <= 5; user++) backlog.admit(`user ${user}`, 20)
    expect(refusalOf(() => backlog.admit('user 7', 1))).toBeNull()
  })

  it('admits again when the others have been answered or have left', async () => {
    const { backlog } = await startExperienced(50)
    const others = [1, 2, 3, 4, 5].map((user) => backlog.admit(`user ${user}`, 20))
    expect(refusalOf(() => backlog.admit('user 7', 20))).toBe('source_busy')
    others[0]!.close()
    await finish(others[1]!, 20, 50)
    expect(refusalOf(() => backlog.admit('user 7', 20))).toBeNull()
  })

  it('never refuses a user for their own slow queries, however many one dashboard has', async () => {
    const { backlog } = await startExperienced(10_000)
    backlog.admit('user 1', 2000)
    expect(
      refusalOf(() => backlog.admit('user 2', 20)),
      'another user of slow queries takes turns',
    ).toBeNull()
  })

  it('refuses a user who has too many queries waiting', async () => {
    const { backlog } = startBacklog()
    const first = backlog.admit('user 1', limits.perUser)
    expect(refusalOf(() => backlog.admit('user 1', 1))).toBe('queries_waiting')
    expect(refusalOf(() => backlog.admit('user 2', 1))).toBeNull()
    first.close()
    expect(refusalOf(() => backlog.admit('user 1', 1))).toBeNull()
  })

  it('counts visitors who share a name as different users', async () => {
    const { backlog } = await startExperienced(50)
    for (let visitor = 1; visitor <= 5; visitor++) backlog.admit('anonymous ', 20)
    expect(refusalOf(() => backlog.admit('anonymous ', 20))).toBe('source_busy')
  })

  it('counts statements outside of charts', async () => {
    const { backlog } = await startExperienced(1000)
    const ends = Array.from({ length: 12 }, (_, user) => backlog.track(`user ${user + 1}`))
    expect(refusalOf(() => backlog.admit('user 99', 1))).toBe('source_busy')
    for (const end of ends) end()
    expect(backlog.isEmpty).toBe(true)
  })

  it('refuses the rest of a dashboard with one of its queries', async () => {
    const { backlog } = startBacklog()
    const admission = backlog.admit('user 1', 3)
    const running = admission.run(() => new Promise<void>((resolve) => setImmediate(resolve)))
    admission.refuse()
    expect(admission.signal.aborted).toBe(true)
    expect(await admission.run(() => Promise.resolve()).catch(code)).toBe('source_busy')
    await running
    admission.close()
    expect(backlog.isEmpty).toBe(true)
  })
})
