import type { RunHeader } from '@parquetry/model'
import { expect, it } from 'vitest'
import { createMemoryCache } from './memory-cache.ts'

const header: RunHeader = {
  columns: [],
  rowcount: 0,
  sql_rowcount: 0,
  truncated: false,
  labelMap: null,
  indexNames: null,
  engineMs: 0,
  totalMs: 0,
  stepError: null,
}
const createEntry = (bytes: number) => ({
  header,
  body: Buffer.alloc(bytes),
  cachedAt: '2026-01-01T00:00:00',
  startedAt: 0,
})
const neverAborted = new AbortController().signal

it('evicts the least recently used entry when full', async () => {
  const cache = createMemoryCache(4096)
  await cache.set('old', createEntry(1500), 60)
  await cache.set('new', createEntry(500), 60)
  await cache.get('old')
  await cache.set('newest', createEntry(500), 60)
  expect(await cache.get('new')).toBeUndefined()
  expect(await cache.get('old')).toBeDefined()
})

it('caches neither an entry over 16 MB nor one with a timeout of 0', async () => {
  const cache = createMemoryCache()
  await cache.set('large', createEntry((16 << 20) + 1), 60)
  await cache.set('fleeting', createEntry(1), 0)
  expect([await cache.get('large'), await cache.get('fleeting')]).toEqual([undefined, undefined])
})

it('runs concurrent equal queries once and gives all callers the same result', async () => {
  const cache = createMemoryCache()
  let runs = 0
  const gate = Promise.withResolvers<string>()
  const ask = () =>
    cache.singleFlight('q', neverAborted, () => {
      runs += 1
      return gate.promise
    })
  const answers = Promise.all([ask(), ask(), ask()])
  gate.resolve('rows')
  expect(await answers).toEqual(['rows', 'rows', 'rows'])
  expect(runs).toBe(1)
  expect(cache.stats().flights).toBe(0)
})

it('runs again after a failure', async () => {
  const cache = createMemoryCache()
  await expect(cache.singleFlight('q', neverAborted, () => Promise.reject(new Error('broken')))).rejects.toThrow(
    'broken',
  )
  expect(await cache.singleFlight('q', neverAborted, () => Promise.resolve(1))).toBe(1)
})

it('cancels the work only when the last caller has aborted', async () => {
  const cache = createMemoryCache()
  const [first, second] = [new AbortController(), new AbortController()]
  let stopped = false
  const start = (signal: AbortSignal) =>
    new Promise<string>((_, reject) => {
      signal.addEventListener('abort', () => {
        stopped = true
        reject(new Error('stopped'))
      })
    })
  const left = cache.singleFlight('q', first.signal, start)
  const stays = cache.singleFlight('q', second.signal, start)
  first.abort()
  await expect(left).rejects.toMatchObject({ code: 'query_stopped' })
  expect(stopped).toBe(false)
  second.abort()
  await expect(stays).rejects.toMatchObject({ code: 'query_stopped' })
  expect(stopped).toBe(true)
})

it('compresses long bodies, returns them unchanged, and identifies an entry by its header', async () => {
  const cache = createMemoryCache()
  const body = Buffer.from(JSON.stringify(Array.from({ length: 20_000 }, (_, n) => ({ n, name: `row ${n}` }))))
  await cache.set('long', { header, body, cachedAt: '2026-01-01T00:00:00', startedAt: 0 }, 60)
  expect((await cache.get('long'))?.body.equals(body)).toBe(true)
  await expect.poll(() => cache.stats().bytes).toBeLessThan(body.length / 3)
  const kept = await cache.get('long')
  expect(kept).toEqual({ header, body, cachedAt: '2026-01-01T00:00:00', startedAt: 0 })
  const long = { key: 'long', header: kept!.header }
  expect(await cache.holdsEntries([long])).toBe(true)
  expect(await cache.holdsEntries([long, { key: 'long', header: { ...header } }])).toBe(false)
  expect(await cache.holdsEntries([long, { key: 'short', header }])).toBe(false)
})
