const storageKey = 'parquetry.tab'
const createId = (): string => [...crypto.getRandomValues(new Uint32Array(2))].join('-')

let ownId: string | undefined

/**
 * Returns the id of this browser tab, so that its state has one entry on the server; a reload keeps it. A duplicated tab starts
 * with a copy of the session storage, so it takes another id as soon as it finds the lock of this one held.
 */
export function getTabId(): string {
  if (ownId !== undefined) return ownId
  ownId = sessionStorage.getItem(storageKey) ?? createId()
  sessionStorage.setItem(storageKey, ownId)
  void claimTabId(ownId).then((id) => {
    ownId = id
    sessionStorage.setItem(storageKey, id)
  })
  return ownId
}

/** Returns the id if no other page holds it, otherwise a new one; this page holds it until it closes. */
export async function claimTabId(id: string): Promise<string> {
  if (await acquireLock(`${storageKey}.${id}`)) return id
  return claimTabId(createId())
}

/** Without secure context there are no locks, and each page is assumed to be the only one. */
const acquireLock = (name: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { locks } = navigator as Partial<Pick<Navigator, 'locks'>>
    if (!locks) return resolve(true)
    void locks.request(name, { ifAvailable: true }, (lock) => {
      resolve(lock !== null)
      return lock && new Promise(() => undefined)
    })
  })
