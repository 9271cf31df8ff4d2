import { createByteCounter, decodeMessage, encodeMessage, type Frame } from '@parquetry/frame'
import type { ExecuteMetadata } from '@parquetry/model'
import { userId } from '../../shared/rights.ts'
import { resultCacheLimits, planEviction, type ResultCacheEntry } from './result-limits.ts'

export interface CachedResult {
  answer: ExecuteMetadata
  frame: Frame
}

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no more'))
  })

let opened: Promise<IDBDatabase> | undefined
function open(): Promise<IDBDatabase> {
  opened ??= (async () => {
    const request = indexedDB.open('parquetry.results', 1)
    request.onupgradeneeded = () => {
      request.result.createObjectStore('entries', { keyPath: 'id' })
      request.result.createObjectStore('bytes')
    }
    return toPromise(request)
  })()
  return opened
}

const storageKey = (queryId: string): string => `${userId ?? ''}.${queryId}`

/**
 * Small results of this user in this browser, so that a reload shows them immediately. Without browser storage, none are stored.
 */
export const localResults = {
  async get(queryId: string): Promise<CachedResult | null> {
    const all = (await open()).transaction(['entries', 'bytes'])
    const key = storageKey(queryId)
    const entry = (await toPromise(all.objectStore('entries').get(key))) as ResultCacheEntry | undefined
    if (!entry || Date.now() - entry.at > resultCacheLimits.mostAgeMs) return null
    const bytes = (await toPromise(all.objectStore('bytes').get(key))) as Uint8Array<ArrayBuffer> | undefined
    if (!bytes) return null
    const { head, frame } = decodeMessage(bytes)
    return frame && { answer: head['answer'] as ExecuteMetadata, frame }
  },

  async put(queryId: string, { answer, frame }: CachedResult): Promise<void> {
    const count = createByteCounter()
    if (count(frame) > resultCacheLimits.mostBytes) return
    const bytes = encodeMessage({ type: 'answer', answer }, frame)
    const all = (await open()).transaction(['entries', 'bytes'], 'readwrite')
    const entries = (await toPromise(all.objectStore('entries').getAll())) as ResultCacheEntry[]
    const key = storageKey(queryId)
    const others = entries.filter(({ id }) => id !== key)
    const evicted = planEviction(others, bytes.length, Date.now())
    if (evicted === null) return
    for (const id of evicted) {
      all.objectStore('entries').delete(id)
      all.objectStore('bytes').delete(id)
    }
    all.objectStore('entries').put({ id: key, at: Date.now(), size: bytes.length } satisfies ResultCacheEntry)
    all.objectStore('bytes').put(bytes, key)
  },

  async remove(queryId: string): Promise<void> {
    const all = (await open()).transaction(['entries', 'bytes'], 'readwrite')
    all.objectStore('entries').delete(storageKey(queryId))
    all.objectStore('bytes').delete(storageKey(queryId))
  },
}
