import { LRUCache } from 'lru-cache'
import type { AccessContext } from '../access/access.ts'
import type { Principal } from '../access/principal.ts'
import { changeCountOf } from '../store/changes.ts'

/** Rows of a page of a list, and the number of rows in the whole list. The rows are shared and must not be changed. */
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
/** Estimated memory of a row besides its stored text, including columns that are read from other tables. */
const bytesPerRow = 2048

const pages = new LRUCache<string, CachedPage>({
  maxSize: maxBytes,
  maxEntrySize: maxPageBytes,
  sizeCalculation: ({ rows }, key) =>
    key.length + rows.reduce<number>((bytes, row) => bytes + estimateRowBytes(row), bytesPerRow),
})

const estimateRowBytes = (row: unknown): number =>
  Object.values(row as object).reduce<number>(
    (bytes, value) => bytes + (typeof value === 'string' ? 2 * value.length : 0),
    bytesPerRow,
  )

const principalNumbers = new WeakMap<Principal, number>()
let lastNumber = 0

/** Returns a number that identifies the principal object. The rights of such an object never change, so pages are cached for it. */
function assignNumber(principal: Principal): number {
  const number = principalNumbers.get(principal) ?? (lastNumber += 1)
  principalNumbers.set(principal, number)
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
  const key = `${assignNumber(principal)} ${JSON.stringify(query)}`
  const cached = pages.get(key)
  if (cached?.changes === changes) return cached as CachedPage & ListPage<Row>
  const page = await read()
  if (page.isExact) pages.set(key, { ...page, changes })
  return page
}
