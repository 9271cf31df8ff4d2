import { byteCounter, decodeMessage, encodeMessage, type Frame } from '@parquetry/frame'
import type { ExecuteAnswer } from '@parquetry/model'
import { userId } from '../../shared/rights.ts'
import { keeping, makeRoom, type KeptEntry } from './result-limits.ts'

export interface Result {
  answer: ExecuteAnswer
  frame: Frame
}

const asked = <T>(request: IDBRequest<T>): Promise<T> =>
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
    return asked(request)
  })()
  return opened
}

const keyOf = (queryId: string): string => `${userId ?? ''}.${queryId}`

/** Small results of this user in this browser, so that a reload shows them at once. A browser without storage keeps none. */
export const localResults = {
  async get(queryId: string): Promise<Result | null> {
    const all = (await open()).transaction(['entries', 'bytes'])
    const key = keyOf(queryId)
    const entry = (await asked(all.objectStore('entries').get(key))) as KeptEntry | undefined
    if (!entry || Date.now() - entry.at > keeping.mostAgeMs) return null
    const bytes = (await asked(all.objectStore('bytes').get(key))) as Uint8Array<ArrayBuffer> | undefined
    if (!bytes) return null
    const { head, frame } = decodeMessage(bytes)
    return frame && { answer: head['answer'] as ExecuteAnswer, frame }
  },

  async put(queryId: string, { answer, frame }: Result): Promise<void> {
    const count = byteCounter()
    if (count(frame) > keeping.mostBytes) return
    const bytes = encodeMessage({ type: 'answer', answer }, frame)
    const all = (await open()).transaction(['entries', 'bytes'], 'readwrite')
    const entries = (await asked(all.objectStore('entries').getAll())) as KeptEntry[]
    const key = keyOf(queryId)
    const others = entries.filter(({ id }) => id !== key)
    const gone = makeRoom(others, bytes.length, Date.now())
    if (gone === null) return
    for (const id of gone) {
      all.objectStore('entries').delete(id)
      all.objectStore('bytes').delete(id)
    }
    all.objectStore('entries').put({ id: key, at: Date.now(), size: bytes.length } satisfies KeptEntry)
    all.objectStore('bytes').put(bytes, key)
  },

  async remove(queryId: string): Promise<void> {
    const all = (await open()).transaction(['entries', 'bytes'], 'readwrite')
    all.objectStore('entries').delete(keyOf(queryId))
    all.objectStore('bytes').delete(keyOf(queryId))
  },
}
