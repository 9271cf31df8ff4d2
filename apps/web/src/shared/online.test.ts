import { afterEach, beforeEach, expect, it, vi } from 'vitest'

let isAnswering: boolean
let probes: string[]
beforeEach(() => {
  // The module reads the navigator on load, which another test file of this process may already have triggered.
  vi.resetModules()
  vi.useFakeTimers()
  ;[isAnswering, probes] = [true, []]
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('addEventListener', () => {})
  vi.stubGlobal('fetch', async (path: string) => {
    probes.push(path)
    if (!isAnswering) throw new TypeError('Failed to fetch')
    return new Response()
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.resetModules()
})

async function page() {
  const online = await import('./online.ts')
  let backs = 0
  online.onReconnect(() => (backs += 1))
  return { ...online, backs: () => backs }
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms)

it('regression: a stopped server is reported as unresponsive and probed until it responds, and then listeners are notified', async () => {
  const { markOffline, currentOutage, backs } = await page()
  isAnswering = false
  const since = new Date()
  markOffline()
  expect(currentOutage(), 'not before a moment has passed').toBeNull()
  await pass(10_000)
  expect(currentOutage()).toEqual({ of: 'server', since })
  expect(probes.length).toBeGreaterThan(3)
  expect(backs()).toBe(0)
  isAnswering = true
  await pass(2000)
  expect([currentOutage(), backs()]).toEqual([null, 1])
  const probeCount = probes.length
  await pass(10_000)
  expect(probes, 'no further probe').toHaveLength(probeCount)
})

it('does not report a single cut call as an outage', async () => {
  const { markOffline, currentOutage, backs } = await page()
  markOffline()
  await pass(2000)
  expect([currentOutage(), backs(), probes]).toEqual([null, 0, ['/health']])
})

it('reports a missing network immediately', async () => {
  const { markOffline, markOnline, currentOutage, backs } = await page()
  vi.stubGlobal('navigator', { onLine: false })
  markOffline()
  expect(currentOutage()).toMatchObject({ of: 'network' })
  markOnline()
  expect([currentOutage(), backs()]).toEqual([null, 1])
})

it('regression: a response sent before the network was lost does not end the outage', async () => {
  const { markOffline, markOnline, currentOutage, backs } = await page()
  const sent = new Date()
  await pass(100)
  vi.stubGlobal('navigator', { onLine: false })
  markOffline()
  markOnline(sent)
  expect([currentOutage()?.of, backs()]).toEqual(['network', 0])
  markOnline()
  expect([currentOutage(), backs()]).toEqual([null, 1])
})
