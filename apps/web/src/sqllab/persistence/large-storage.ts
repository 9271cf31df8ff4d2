import type { LargeStorage } from './local-tabs.ts'

const toPromise = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error ?? new Error('the browser keeps no more'))
  })

let opened: Promise<IDBDatabase> | undefined
const open = (): Promise<IDBDatabase> => {
  opened ??= (async () => {
    const request = indexedDB.open('parquetry.sqllab', 1)
    request.onupgradeneeded = () => request.result.createObjectStore('texts')
    return toPromise(request)
  })()
  return opened
}

const store = async (mode: IDBTransactionMode): Promise<IDBObjectStore> =>
  (await open()).transaction('texts', mode).objectStore('texts')

/** Texts too large for `localStorage`. */
export const largeStorage: LargeStorage = {
  get: async (key) => ((await toPromise((await store('readonly')).get(key))) as string | undefined) ?? null,
  set: async (key, text) => void (await toPromise((await store('readwrite')).put(text, key))),
  remove: async (key) => toPromise((await store('readwrite')).delete(key)),
}
