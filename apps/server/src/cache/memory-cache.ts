import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import { LRUCache } from 'lru-cache'
import { AppError } from '@parquetry/model'
import type { Cache, CacheEntry } from './cache.ts'

const maxEntryBytes = 16 << 20

/**
 * Bodies of at least this size are cached compressed, to a third or less: compressing a megabyte takes 5 ms, decompressing it 1
 * ms.
 */
const minCompressedBytes = 16 << 10
const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)
const quickest = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

interface MemoryEntry extends CacheEntry {
  isCompressed: boolean
}

interface Flight {
  answer: Promise<unknown>
  stop: AbortController
  waiting: number
}

/** Creates the cache of one process, which evicts least recently used entries first. */
export function createMemoryCache(maxBytes = 64 << 20): Cache {
  const entries = new LRUCache<string, MemoryEntry>({
    maxSize: maxBytes,
    sizeCalculation: ({ body }) => body.byteLength + 1024,
  })
  const flights = new Map<string, Flight>()
  let hits = 0
  let misses = 0
  let invalidations = 0

  return {
    async get(key) {
      const entry = entries.get(key)
      if (entry) hits += 1
      else misses += 1
      if (!entry) return undefined
      const { isCompressed, body, ...rest } = entry
      return { ...rest, body: isCompressed ? await unpack(body) : body }
    },
    async has(key, notBefore = -Infinity) {
      return (entries.peek(key)?.startedAt ?? -Infinity) >= notBefore && entries.has(key)
    },
    async holdsEntries(expected) {
      if (!expected.every(({ key, header }) => entries.peek(key)?.header === header)) return false
      hits += expected.length
      for (const { key } of expected) entries.get(key)
      return true
    },
    async set(key, entry, timeoutSeconds) {
      const { body } = entry
      if (timeoutSeconds <= 0 || body.byteLength > maxEntryBytes) return
      const stored: MemoryEntry = { ...entry, isCompressed: false }
      entries.set(key, stored, { ttl: timeoutSeconds * 1000 })
      if (body.byteLength < minCompressedBytes) return
      // Compresses in the background.
      pack(body, quickest).then(
        (packed) => {
          if (entries.peek(key) !== stored) return
          entries.set(key, { ...entry, body: packed, isCompressed: true }, { ttl: entries.getRemainingTTL(key) })
        },
        () => {},
      )
    },
    invalidations: () => invalidations,
    async invalidate(datasets) {
      invalidations += 1
      for (const [key, { dataset }] of entries.entries())
        if (dataset !== undefined && datasets.has(dataset)) entries.delete(key)
    },
    async singleFlight<T>(key: string, signal: AbortSignal, start: (signal: AbortSignal) => Promise<T>): Promise<T> {
      let flight = flights.get(key)
      if (!flight) {
        const stop = new AbortController()
        const newFlight: Flight = { stop, waiting: 0, answer: start(stop.signal) }
        const removeFlight = (): void => {
          if (flights.get(key) === newFlight) flights.delete(key)
        }
        newFlight.answer.then(removeFlight, removeFlight)
        flights.set(key, newFlight)
        flight = newFlight
      }
      return wait(flight as Flight & { answer: Promise<T> }, signal, () => flights.delete(key))
    },
    isInFlight: (key) => flights.has(key),
    stats: () => ({ entries: entries.size, bytes: entries.calculatedSize, hits, misses, flights: flights.size }),
  }
}

/** Waits for a flight until the caller aborts; the last caller to abort cancels the flight. */
function wait<T>(flight: Flight & { answer: Promise<T> }, signal: AbortSignal, forget: () => void): Promise<T> {
  flight.waiting += 1
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => {
      flight.waiting -= 1
      if (flight.waiting === 0) {
        forget()
        flight.stop.abort()
      }
      reject(new AppError('query_stopped'))
    }
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    flight.answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort))
  })
}
