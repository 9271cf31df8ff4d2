import { checkCases } from '@parquetry/model/testing/random'
import { expect, it, vi } from 'vitest'
import { startCarsServer } from '../chart/testing.ts'
import { isTracked } from '../store/changes.ts'
import { createSecondServer, type Read, RightsWorld } from './mixed-rights.testing.ts'

const stepsPerCase = 8
/** Few kinds of changes in a case, so that states come back while answers of others are stored. Thirteen cases have all kinds. */
const actionsPerCase = 2

/** Compares what users read while anything changes with what a server without caches answers. */
async function compareReads(world: RightsWorld, cases: number): Promise<void> {
  const countHits = () => world.servers.reduce((all, { deps }) => all + deps.responses.stats().hits, 0)
  const before = countHits()
  let reads = 0
  await checkCases(cases, async (random, seed) => {
    world.allowSubqueries(seed % 3 === 0)
    await world.reset()
    const history: string[] = []
    for (let step = 0; step < 2; step += 1) history.push(await world.act(random, world.actions.slice(0, 6)))
    const actions = Array.from(
      { length: actionsPerCase },
      (_, at) => world.actions[(seed + at * 13) % world.actions.length]!,
    )
    const choices = [world.chooseRead(random), world.chooseRead(random)]
    let [read] = choices as [Read, Read]
    for (let step = 0; step < stepsPerCase; step += 1) {
      history.push(await world.act(random, actions))
      if (random.int(5) === 0) read = random.pick(choices)
      for (const reader of world.chooseReaders(random)) {
        const { app } = random.pick(world.servers)
        const actual = await world.read(app, reader, read)
        const expected = await world.read(world.expected, reader, read)
        expect(actual, `${reader} reads ${JSON.stringify(read)} after ${history.join(', ')}`).toEqual(expected)
        reads += 1
      }
    }
  })
  // Without stored answers, nothing was tested. A single case may have few.
  if (reads > 200) expect(countHits() - before, `stored answers of ${reads} reads`).toBeGreaterThan(reads / 5)
}

const startCars = async (clock: { at: number }, store = 'sqlite') =>
  startCarsServer({
    store,
    now: () => new Date(clock.at),
    settings: { timeZone: 'UTC', flags: { DASHBOARD_RBAC: true } },
  })
/** A minute and a half before the range of a data mask moves on to another day. */
const startedAt = Date.parse('2026-12-31T23:58:30.000Z')

it('no cached dashboard ever mixes two rights: users get what a server without caches answers, whatever changes', async () => {
  const clock = { at: startedAt }
  const cars = await startCars(clock)
  try {
    await compareReads(await RightsWorld.create(cars, clock), 13)
  } finally {
    await cars.close()
  }
}, 240_000)

const url = process.env['PARQUETRY_TEST_POSTGRES']

if (url)
  it('nor do two servers on one PostgreSQL store, once they know of a change', async () => {
    const clock = { at: startedAt }
    const cars = await startCars(clock, url)
    const other = await cars.server.openStoreAgain()
    try {
      const world = await RightsWorld.create(cars, clock)
      world.servers.push(createSecondServer(world.servers[0]!.deps, other.db))
      await vi.waitUntil(() => world.servers.every(({ deps }) => isTracked(deps.db)), { timeout: 10_000 })
      await compareReads(world, 4)
    } finally {
      await other.close()
      await cars.close()
    }
  }, 240_000)
