import { readReference } from './reference.ts'

/**
 * How a documented call answers here: `same`; `different`, on purpose; `later` for calls that are not there yet; `not there`, on
 * purpose.
 */
export type CallState = 'same' | 'different' | 'later' | 'not there'

export interface InventoryRow {
  /** Method and path with `{parameters}`, as in `inventory.json`. */
  route: string
  method: string
  path: string
  /** Folder of the API (`/api/v1/chart`), or `pages and older calls`. */
  group: string
  state: CallState
  /** Empty for calls that are the same. */
  reason: string
}

/** An entry of `compatibility.json`: calls that are not the same, with the reason as a sentence. */
export interface Exception {
  state: Exclude<CallState, 'same'>
  reason: string
  routes: string[]
}

export const readExceptions = (): Exception[] => readReference<Exception>('compatibility.json')

/** Returns every documented call, with its state. Calls that `compatibility.json` does not list are the same. */
export function readInventory(): InventoryRow[] {
  const exceptions = new Map(readExceptions().flatMap((one) => one.routes.map((route) => [route, one] as const)))
  return readReference<{ route: string }>('inventory.json').map(({ route }) => {
    const [method = '', path = ''] = route.split(' ')
    const { state = 'same', reason = '' } = exceptions.get(route) ?? {}
    const group = /^\/api\/v1\/[^/]+/.exec(path)?.[0] ?? 'pages and older calls'
    return { route, method, path, group, state, reason }
  })
}
