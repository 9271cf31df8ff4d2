import { LRUCache } from 'lru-cache'
import type { AccessContext } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { changeCountOf } from '../store/changes.ts'

/** Rows of a page of a list, and how many the whole list has. The rows are shared and must not be changed. */
export interface ListPage<Row> {
  rows: readonly Row[]
  count: number
  /** False if the count may be older than the rows. */
  isExact: boolean
}

interface CachedPage extends ListPage<unknown> {
  changes: number
}

const maxBytes = 16 * 1024 * 1024
const maxPageBytes = 512 * 1024
/** What an object takes besides its stored text, with its columns that are read from other tables. */
const bytesPerRow = 2048

const pages = new LRUCache<string, CachedPage>({
  maxSize: maxBytes,
  maxEntrySize: maxPageBytes,
  sizeCalculation: ({ rows }, key) =>
    key.length + rows.reduce<number>((bytes, row) => bytes + sizeOfRow(row), bytesPerRow),
})

const sizeOfRow = (row: unknown): number =>
  Object.values(row as object).reduce<number>(
    (bytes, value) => bytes + (typeof value === 'string' ? 2 * value.length : 0),
    bytesPerRow,
  )

const numbers = new WeakMap<Principal, number>()
let lastNumber = 0

/** The same principal is the same rights, so a page is kept for the object. */
function numberOf(principal: Principal): number {
  const number = numbers.get(principal) ?? (lastNumber += 1)
  numbers.set(principal, number)
  return number
}

/**
 * Reads a page of a list, or returns what the same principal read for the same query since the last change.
 * @param query  everything besides the principal that decides the page
 */
export async function readPage<Row>(
  { db, principal }: Pick<AccessContext, 'db' | 'principal'>,
  query: unknown,
  read: () => Promise<ListPage<Row>>,
): Promise<ListPage<Row>> {
  const changes = changeCountOf(db)
  if (changes === undefined) return read()
  const key = `${numberOf(principal)} ${JSON.stringify(query)}`
  const cached = pages.get(key)
  if (cached?.changes === changes) return cached as CachedPage & ListPage<Row>
  const page = await read()
  if (page.isExact) pages.set(key, { ...page, changes })
  return page
}
