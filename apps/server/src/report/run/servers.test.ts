import { AppError } from '@parquetry/model'
import { createRandom } from '@parquetry/model/testing/random'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startTestServer, type TestServer, testStores } from '../../testing.ts'
import type { RunDeps } from './deps.ts'
import { startMessageReceiver, type MessageReceiver } from './receiver.testing.ts'
import { addReport, createClock, listDeliveriesOf, listRuns, runDepsOf, type TestClock } from './runs.testing.ts'
import { addDashboard } from './sample-content.testing.ts'
import { ReportScheduler } from './scheduler.ts'

const ten = '2026-03-02T10:00:00.000'
const patient = { timeout: 30_000, interval: 20 }

describe.each(testStores)('schedulers of reports on %s', (_name, store) => {
  let one: TestServer
  let two: TestServer
  let receiver: MessageReceiver
  let dashboard: number
  let clock: TestClock
  const open: ReportScheduler[] = []
  beforeAll(async () => {
    receiver = await startMessageReceiver()
    one = await startTestServer({ store })
    two = await startTestServer({ sharesWith: one })
    dashboard = await addDashboard(one.deps.db, 'Sales')
  })
  afterAll(async () => {
    await two.close()
    await one.close()
    await receiver.close()
  })
  beforeEach(async () => {
    clock = createClock(`${ten}Z`)
    receiver.received.length = 0
    await one.deps.db.deleteFrom('report').execute()
    await one.deps.db.deleteFrom('notification').execute()
    await one.deps.db.deleteFrom('server').execute()
    return async () => {
      receiver.gate.open()
      await Promise.all(open.splice(0).map((scheduler) => scheduler.close()))
    }
  })

  const add = (row: Parameters<typeof addReport>[1] = {}) =>
    addReport(one.deps.db, { dashboard_id: dashboard, crontab: '0 0 1 1 *', next_at: ten, ...row })
  const live = async (server: TestServer) =>
    void (await one.deps.db
      .insertInto('server')
      .values({ id: server.deps.server, seen_at: 0 })
      .onConflict((conflict) => conflict.doNothing())
      .execute())
  const schedule = (server: TestServer, more: Partial<RunDeps> = {}, options = {}) => {
    const deps = runDepsOf(server, receiver, clock, { isStoreShared: true, ...more })
    const scheduler = new ReportScheduler(deps, { pollMs: 5, graceMs: 300, ...options })
    open.push(scheduler)
    return scheduler
  }
  const statesOf = async (id: number) => (await listRuns(one.deps.db, id)).map(({ state }) => state)
  const deliveriesOf = async (id: number) => (await listDeliveriesOf(one.deps.db, id)).map(({ state }) => state)

  // Two servers in one process block each other on a file, and in practice only one uses it.
  if (store !== 'sqlite')
    it('two servers send each message once, whatever one of them misses or is thought to miss', async () => {
      const random = createRandom(7)
      const pause = (most: number) => delay(Math.floor(random() * most))
      const ids: number[] = []
      for (let n = 0; n < 12; n++)
        ids.push(
          await add({ recipients: [0, 1, 2].map((part) => ({ type: 'Email', target: `${n}-${part}@example.com` })) }),
        )
      let takenOver = 0
      const drawing = Promise.withResolvers<void>()
      const log = Object.assign(Object.create(one.deps.log) as RunDeps['log'], { warn: () => void takenOver++ })
      const busy: Partial<RunDeps> = {
        log,
        buildContent: async () => {
          await drawing.promise
          await pause(60)
          return { files: [], table: null, failures: [] }
        },
      }
      await live(one)
      await live(two)
      schedule(one, busy)
      schedule(two, busy)
      const countOwn = async ({ deps }: TestServer) =>
        (await one.deps.db.selectFrom('report_run').select('id').where('owner', '=', deps.server).execute()).length
      // Each server is taken for dead again and again while it works, as after a long pause of its process.
      const pronounceDead = async (victim: TestServer, wait: () => Promise<void>) => {
        await one.deps.db.deleteFrom('server').where('id', '=', victim.deps.server).execute()
        clock.pass(11_000)
        await wait()
        await live(victim)
      }
      await expect.poll(() => countOwn(one), patient).toBeGreaterThan(0)
      // It may claim one more run that it was about to claim.
      const ownedByDead = () => {
        clock.pass(11_000)
        return countOwn(one)
      }
      await pronounceDead(one, () => expect.poll(ownedByDead, patient).toBe(0))
      drawing.resolve()
      for (let round = 0; round < 15; round++) {
        await pause(20)
        await pronounceDead(random() < 0.5 ? one : two, () => pause(20))
      }
      const all = async () =>
        (await one.deps.db.selectFrom('report_run').select('state').where('state', '=', 'Working').execute()).length
      await expect
        .poll(async () => {
          clock.pass(11_000)
          return all()
        }, patient)
        .toBe(0)
      expect(takenOver).toBeGreaterThan(0)
      const targets = receiver.received.map(({ target }) => target)
      expect(new Set(targets).size).toBe(targets.length)
      for (const id of ids) {
        const deliveries = await listDeliveriesOf(one.deps.db, id)
        expect(deliveries).toHaveLength(3)
        for (const { target, state } of deliveries)
          expect([target, state]).toEqual([
            target,
            targets.includes(target) ? expect.toBeOneOf(['sent', 'unknown']) : 'unknown',
          ])
      }
    }, 60_000)

  it('a living server takes up the run of one that died while drawing', async () => {
    await live(one)
    await live(two)
    const id = await add()
    const drawing = Promise.withResolvers<void>()
    schedule(one, {
      buildContent: () => {
        drawing.resolve()
        return new Promise<never>(() => {})
      },
    })
    await drawing.promise
    schedule(two)
    await delay(30)
    expect(await statesOf(id)).toEqual(['Working'])
    await one.deps.db.deleteFrom('server').where('id', '=', one.deps.server).execute()
    await expect
      .poll(() => {
        clock.pass(11_000)
        return statesOf(id)
      }, patient)
      .toEqual(['Success'])
    expect(receiver.received).toHaveLength(1)
  })

  it('a server that stops lets a message end, and leaves the others to the next start', async () => {
    await live(one)
    const id = await add({
      recipients: Array.from({ length: 10 }, (_, n) => ({ type: 'Email', target: `${n}@example.com` })),
    })
    receiver.gate.close()
    const stopping = schedule(one, {}, { graceMs: 20_000 })
    await expect.poll(() => deliveriesOf(id), patient).toContain('sending')
    const stopped = stopping.close()
    receiver.gate.open()
    await stopped
    const states = await deliveriesOf(id)
    expect(new Set(states)).toEqual(new Set(['sent', 'waiting']))
    expect(await statesOf(id)).toEqual(['Working'])
    schedule(one)
    await expect.poll(() => statesOf(id), patient).toEqual(['Success'])
    expect(receiver.received.map(({ target }) => target).toSorted()).toEqual(
      Array.from({ length: 10 }, (_, n) => `${n}@example.com`),
    )
  })

  it('a server that stops gives up a receiver that does not answer, which is not tried again', async () => {
    await live(one)
    receiver.behave('hanging@example.com', 'hang')
    const id = await add({ recipients: [{ type: 'Email', target: 'hanging@example.com' }] })
    const stopping = schedule(one, {}, { graceMs: 50 })
    await expect.poll(() => deliveriesOf(id), patient).toEqual(['sending'])
    await stopping.close()
    expect(await deliveriesOf(id)).toEqual(['unknown'])
    expect(await statesOf(id)).toEqual(['Error'])
  })

  it('while the store is unavailable, the outcome of a message is kept, and everything goes on after that', async () => {
    await live(one)
    let isAway = false
    const db = one.deps.db.withPlugin({
      transformQuery({ node }) {
        if (isAway) throw new AppError('unavailable')
        return node
      },
      transformResult: ({ result }) => Promise.resolve(result),
    })
    const first = await add()
    receiver.onArrival = () => {
      isAway = true
      receiver.onArrival = undefined
    }
    schedule(one, { db })
    await expect.poll(() => receiver.received.length, patient).toBe(1)
    const second = await add({ recipients: [{ type: 'Email', target: 'b@example.com' }] })
    await delay(50)
    expect([await deliveriesOf(first), await statesOf(second)]).toEqual([['sending'], []])
    isAway = false
    await expect
      .poll(async () => [await deliveriesOf(first), await statesOf(second)], patient)
      .toEqual([['sent'], ['Success']])
    expect(receiver.received.map(({ target }) => target)).toEqual(['a@example.com', 'b@example.com'])
  })

  it('a runner that is lost while drawing costs one more attempt', async () => {
    await live(one)
    let attempts = 0
    const id = await add()
    schedule(one, {
      buildContent: () => {
        attempts += 1
        if (attempts < 3) return Promise.reject(new AppError('runner_lost'))
        return Promise.resolve({ files: [], table: null, failures: [] })
      },
    })
    await expect
      .poll(() => {
        clock.pass(30_000)
        return statesOf(id)
      }, patient)
      .toEqual(['Success'])
    expect([attempts, receiver.received.length]).toEqual([3, 1])
  })

  it('runs start in the order of their time, and owners take turns at one time', async () => {
    await live(one)
    const late = '2026-03-02T10:01:00.000'
    for (let n = 0; n < 4; n++) await add({ name: `busy ${n}`, owner: 'admin' })
    await add({ name: 'other', owner: 'alpha' })
    await add({ name: 'late', owner: 'gamma', next_at: late })
    clock.set(`${late}Z`)
    schedule(one, {}, { maxRuns: 1 })
    await expect.poll(() => receiver.received.length, patient).toBe(6)
    const order = receiver.received.map(({ subject }) => subject)
    expect(order.indexOf('other')).toBeLessThanOrEqual(1)
    expect(order.at(-1)).toBe('late')
  })

  it('a server that others take for dead starts nothing', async () => {
    const id = await add()
    schedule(one)
    await delay(60)
    expect(await statesOf(id)).toEqual([])
    await live(one)
    await expect.poll(() => statesOf(id), patient).toEqual(['Success'])
  })

  it('regression: slow recipients of one user do not hold up the reports of others', async () => {
    await live(one)
    receiver.behave('slow@example.com', 'hang')
    for (let count = 0; count < 5; count += 1)
      await add({ owner: 'alpha', recipients: [{ type: 'Email', target: 'slow@example.com' }] })
    const before = receiver.arrived()
    schedule(one)
    await expect.poll(() => receiver.arrived() - before, patient).toBe(3)
    const id = await add({ recipients: [{ type: 'Email', target: 'quick@example.com' }] })
    clock.pass(61_000)
    await expect.poll(() => statesOf(id), patient).toEqual(['Success'])
    expect(receiver.received.map(({ target }) => target)).toEqual(['quick@example.com'])
  })
})
