import { checkCases } from '@parquetry/model/testing/random'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../app.ts'
import { type CarsServer, startCarsServer } from '../chart/testing.ts'
import type { App } from '../http/app.ts'
import { readers, RightsWorld } from './mixed-rights.testing.ts'

let cars: CarsServer
let world: RightsWorld
let app: App
const clock = { at: Date.parse('2026-12-31T23:58:30.000Z') }
beforeAll(async () => {
  cars = await startCarsServer({
    now: () => new Date(clock.at),
    settings: { timeZone: 'UTC', flags: { DASHBOARD_RBAC: true } },
  })
  await cars.addFile(2)
  world = await RightsWorld.create(cars, clock)
  app = createApp({ ...world.deps, steadyMs: () => clock.at })
}, 60_000)
afterAll(() => cars.close())

const stepsPerCase = 12

it('no cached dashboard ever mixes two rights: users get what a server without caches answers, whatever changes', async () => {
  const { responses } = world.deps
  const { hits } = responses.stats()
  let reads = 0
  await checkCases(6, async (random) => {
    await world.reset()
    const history: string[] = []
    let read = world.chooseRead(random)
    for (let step = 0; step < stepsPerCase; step += 1) {
      const name = random.pick(Object.keys(world.actions))
      history.push(name)
      await world.actions[name]!(random)
      if (random.int(3) === 0) read = world.chooseRead(random)
      const first = random.int(readers.length)
      for (const at of readers.keys()) {
        const reader = readers[(first + at) % readers.length]!
        const actual = await world.read(app, reader, read)
        const expected = await world.read(world.expected, reader, read)
        expect(actual, `${reader} reads ${JSON.stringify(read)} after ${history.join(', ')}`).toEqual(expected)
        reads += 1
      }
    }
  })
  expect(responses.stats().hits - hits, `stored answers of ${reads} reads`).toBeGreaterThan(reads / 8)
}, 240_000)
