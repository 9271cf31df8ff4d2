import { AppError, type InfoQuery, type ItemQuery, type ListQuery, message } from '@parquetry/model'
import { type Kysely, sql, type SqlBool } from 'kysely'
import type { TSchema } from 'typebox'
import { type AccessContext, type ObjectKind, visibilityCondition } from '../access/access.ts'
import { candidateConditions } from '../access/candidates.ts'
import type { Tables } from '../store/tables.ts'
import { chosenColumns, buildLabels, pickFields, parseSelection } from './columns.ts'
import { buildConditions, type Filter } from './filters.ts'
import { and, type Condition } from '../store/conditions.ts'
import { noSuchMethod } from './errors.ts'
import { countRows, countWhere } from './cached-count.ts'
import type { Principal } from '../access/principal.ts'
import type { RelatedSource } from './related.ts'

/** What reading a resource needs. */
export interface ReadContext extends AccessContext {
  now: Date
}

/** Values of one head of columns (`owners` of `owners.id`) for the rows of a page, in their order. */
export type ColumnResolver<Row> = (rows: readonly Row[], context: ReadContext) => unknown[] | Promise<unknown[]>

/** Columns of a list or detail: those that the API announces, and those of later releases, which are sent but not announced. */
export interface ColumnSet {
  announced: readonly string[]
  later?: readonly string[]
}

/** A kind of object as its standard calls read it. Everything that leaves the server is named here. */
export interface Resource<Row extends { id: number }> {
  kind: ObjectKind | 'log'
  /** The API's word in titles: `List Slice`. */
  title: string
  /** Titles that do not follow from it. */
  listTitle?: string
  view: string
  list: ColumnSet
  show: ColumnSet
  labels?: Record<string, string>
  /**
   * Columns of the table that are read for every row, and large ones that are read only when they are asked for.
   * Left out: all are read.
   */
  stored?: { always: readonly string[]; asked: readonly string[] }
  /** Column -> what to sort by: a column, or a condition-free SQL expression. */
  order: Record<string, string | ReturnType<typeof sql>>
  /** Announced order columns when they differ from the keys of `order`. */
  defaultOrder: [column: string, direction: 'asc' | 'desc']
  filters: Record<string, Filter>
  resolvers: Record<string, ColumnResolver<Row>>
  related: Record<string, RelatedSource>
  /** Columns whose distinct values can be asked for. */
  distinct: readonly string[]
  /** Permissions of later releases: held and checked, and not announced. */
  laterPermissions?: readonly string[]
  /** Bodies of POST and PUT: `_info` tells their fields. */
  bodies: { add: TSchema; edit: TSchema } | null
  /** What an address with neither id nor uuid is; the API says "method not allowed" nearly everywhere. */
  oddId?: () => AppError
  /** Rows of a page at most; −1: no limit, and −1 may be asked for. */
  maxPageSize?: number
}

const defaultPageSize = 20
const defaultMaxPageSize = 100

/** Rows of a page and where they begin, as numbers that a store can hold. A page begins at a whole number. */
export function resolvePage(
  { page = 0, page_size = defaultPageSize }: Pick<ListQuery, 'page' | 'page_size'>,
  max = defaultMaxPageSize,
): { limit: number | null; offset: number } {
  if (max === -1 && page_size === -1) return { limit: null, offset: 0 }
  const size = Math.trunc(page_size)
  const limit = size < 1 || (max !== -1 && size > max) ? (max === -1 ? defaultMaxPageSize : max) : size
  return { limit: storable(limit), offset: storable(Math.max(0, Math.trunc(page)) * limit) }
}

const storable = (number: number): number => Math.min(number, Number.MAX_SAFE_INTEGER)

const tail = ({ limit, offset }: { limit: number | null; offset: number }) =>
  limit === null ? sql`` : sql` limit ${limit} offset ${offset}`

/** How many rows there are in all, where the page itself tells: it is the last one. */
const countFromPage = (rows: number, { limit, offset }: ReturnType<typeof resolvePage>): number | undefined =>
  (limit === null || rows < limit) && (rows > 0 || offset === 0) ? offset + rows : undefined

const selectRows = async <Row>(
  db: Kysely<Tables>,
  table: string,
  where: Condition,
  rest = sql``,
  columns = sql`${sql.table(table)}.*`,
): Promise<Row[]> => (await sql<Row>`select ${columns} from ${sql.table(table)} where ${where}${rest}`.execute(db)).rows

/** The table's columns that a page needs. */
function storedColumns({ kind, stored }: Pick<Resource<never>, 'kind' | 'stored'>, columns: readonly string[]) {
  if (!stored) return undefined
  const names = [...stored.always, ...stored.asked.filter((name) => columns.includes(name))]
  return sql.join(names.map((name) => sql.ref(`${kind}.${name}`)))
}

/** Condition under which the caller sees rows of the resource; administrators' logs are guarded by the route's pair alone. */
export const accessConditions = ({ kind }: Pick<Resource<never>, 'kind'>, context: AccessContext): Condition[] => {
  const condition = kind === 'log' ? undefined : visibilityCondition(kind, context)
  return condition ? [condition] : []
}

/** The objects of a page as the API sends them: the columns asked for, relations as objects with the parts asked for. */
export async function present<Row extends { id: number }>(
  { resolvers }: Pick<Resource<Row>, 'resolvers'>,
  rows: readonly Row[],
  columns: readonly string[],
  context: ReadContext,
): Promise<Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = rows.map(() => ({}))
  for (const [head, parts] of parseSelection(columns)) {
    const make = Object.hasOwn(resolvers, head) ? resolvers[head] : undefined
    const values = make ? await make(rows, context) : rows.map((row) => (row as Record<string, unknown>)[head] ?? null)
    objects.forEach((object, at) => {
      object[head] = pickFields(values[at] ?? null, parts)
    })
  }
  return objects
}

function buildOrderBy<Row extends { id: number }>(resource: Resource<Row>, asked: ListQuery) {
  const [defaultColumn, defaultDirection] = resource.defaultOrder
  const column = asked.order_column || defaultColumn
  const direction = asked.order_column ? (asked.order_direction ?? 'asc') : defaultDirection
  const by = Object.hasOwn(resource.order, column) ? resource.order[column] : undefined
  if (by === undefined)
    throw new AppError('bad_request', {
      message: message('errors.http.orderColumn', 'Invalid order by column: {column}', { column }),
    })
  const way = sql.raw(direction)
  const expression = typeof by === 'string' ? sql.ref(by) : by
  return sql` order by ${expression} ${way}, ${sql.ref(`${resource.kind}.id`)} ${way}`
}

/** The newer layer's spelling of `columns`; the schema leaves it out, because the API writes its schema into messages. */
function selectColumns(asked: ListQuery): string[] | undefined {
  const { select_columns: columns } = asked as { select_columns?: unknown }
  return Array.isArray(columns) ? columns.filter((column) => typeof column === 'string') : undefined
}

/** `GET /api/v1/<resource>/`: a page of what the caller may see, `within` a part of it for lists below an object. */
export async function list<Row extends { id: number }>(
  resource: Resource<Row>,
  asked: ListQuery,
  context: ReadContext,
  within?: Condition,
): Promise<{ count: number; ids: number[]; result: Record<string, unknown>[] }> {
  const allowed = [...resource.list.announced, ...(resource.list.later ?? [])]
  const wanted = asked.columns ?? selectColumns(asked)
  const columns = chosenColumns(allowed, wanted)
  const announced = wanted?.length ? columns : resource.list.announced
  const order = buildOrderBy(resource, asked)
  const narrow = await candidateConditions(context.db, resource.kind, context.principal)
  const conditions = [
    ...(within ? [within] : []),
    ...accessConditions(resource, context),
    ...narrow,
    ...(await buildConditions(asked.filters, resource.filters, context)),
  ]
  const where = and(conditions)
  const page = resolvePage(asked, resource.maxPageSize)
  const rows = await selectRows<Row>(
    context.db,
    resource.kind,
    where,
    sql`${order}${tail(page)}`,
    storedColumns(resource, columns),
  )
  const blocks = {
    label_columns: buildLabels(announced, resource.labels),
    description_columns: {},
    list_columns: announced,
    list_title: resource.listTitle ?? `List ${resource.title}`,
    order_columns: Object.keys(resource.order),
  }
  const count = narrow.length > 0 ? countWhere : countRows
  return {
    count: countFromPage(rows.length, page) ?? (await count(context.db, resource.kind, conditions)),
    ids: rows.map(({ id }) => id),
    result: await present(resource, rows, columns, context),
    ...chosenBlocks(blocks, asked.keys),
  }
}

/** The blocks whose names are in `keys`; all when none is named. */
const chosenBlocks = (blocks: Record<string, unknown>, keys: readonly string[] | undefined) =>
  keys === undefined || keys.length === 0
    ? blocks
    : Object.fromEntries(Object.entries(blocks).filter(([name]) => keys.includes(name)))

const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Condition of one row by the text of an address: an id or a uuid. Anything else is no address of an object. */
function matchesId({ kind, oddId = noSuchMethod }: Pick<Resource<never>, 'kind' | 'oddId'>, name: string): Condition {
  if (/^\d{1,15}$/.test(name)) return sql<SqlBool>`${sql.ref(`${kind}.id`)} = ${Number(name)}`
  if (uuid.test(name) && kind !== 'log' && kind !== 'query')
    return sql<SqlBool>`${sql.ref(`${kind}.uuid`)} = ${name.toLowerCase()}`
  throw oddId()
}

/**
 * The row that an address names, if the caller may see it.
 * @param name  id or uuid
 * @throws AppError `not_found`, the same for missing and invisible
 */
export async function visibleRow<Row extends { id: number }>(
  resource: Pick<Resource<Row>, 'kind' | 'oddId'>,
  name: number | string,
  context: AccessContext,
): Promise<Row> {
  const is = matchesId(resource, String(name))
  const [row] = await selectRows<Row>(context.db, resource.kind, and([is, ...accessConditions(resource, context)]))
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * The rows of these ids, in their order. Bulk calls are all or nothing.
 * @throws AppError `not_found` when one of them is missing or invisible, or none is named
 */
export async function visibleRows<Row extends { id: number }>(
  resource: Pick<Resource<Row>, 'kind'>,
  ids: readonly number[],
  context: AccessContext,
): Promise<Row[]> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) throw new AppError('not_found')
  const among = sql<SqlBool>`${sql.ref(`${resource.kind}.id`)} in (${sql.join(wanted)})`
  const rows = await selectRows<Row>(context.db, resource.kind, and([among, ...accessConditions(resource, context)]))
  if (rows.length !== wanted.length) throw new AppError('not_found')
  return rows
}

/** `GET /api/v1/<resource>/{id}`. */
export async function show<Row extends { id: number }>(
  resource: Resource<Row>,
  row: Row,
  asked: ItemQuery,
  context: ReadContext,
): Promise<{ id: number; result: Record<string, unknown> }> {
  const allowed = [...new Set([...resource.show.announced, ...(resource.show.later ?? [])])]
  const columns = chosenColumns(allowed, asked.columns)
  const announced = asked.columns?.length ? columns : resource.show.announced
  const [result = {}] = await present(resource, [row], columns, context)
  const blocks = {
    label_columns: buildLabels(announced, resource.labels),
    description_columns: {},
    show_columns: announced,
    show_title: `Show ${resource.title}`,
  }
  return { id: row.id, result, ...chosenBlocks(blocks, asked.keys) }
}

interface BodySchema {
  properties?: Record<string, { type?: string | string[] }>
  required?: string[]
}

const describeFields = (schema: TSchema): object[] => {
  const { properties = {}, required = [] } = schema as BodySchema
  return Object.entries(properties).map(([name, { type }]) => ({
    name,
    label: buildLabels([name])[name],
    description: '',
    type: Array.isArray(type) ? type.find((each) => each !== 'null') : type,
    required: required.includes(name),
    unique: false,
  }))
}

const permissionsOn = (
  { permissions }: Principal,
  { view, laterPermissions = [] }: Pick<Resource<never>, 'view' | 'laterPermissions'>,
): string[] =>
  [...permissions]
    .filter((pair) => pair.slice(pair.indexOf(' ') + 1) === view)
    .map((pair) => pair.slice(0, pair.indexOf(' ')))
    .filter((name) => !laterPermissions.includes(name))

/** `GET /api/v1/<resource>/_info`. */
export function info<Row extends { id: number }>(
  resource: Resource<Row>,
  { keys }: InfoQuery,
  principal: Principal,
): Record<string, unknown> {
  const filters = Object.entries(resource.filters).map(([column, filter]) => [
    column,
    filter.filter(({ later }) => !later).map(({ name, operator }) => ({ name, operator })),
  ])
  const blocks = {
    permissions: permissionsOn(principal, resource),
    add_columns: resource.bodies ? describeFields(resource.bodies.add) : [],
    edit_columns: resource.bodies ? describeFields(resource.bodies.edit) : [],
    filters: Object.fromEntries(filters.filter(([, operators]) => (operators as object[]).length > 0)) as object,
    add_title: `Add ${resource.title}`,
    edit_title: `Edit ${resource.title}`,
  }
  return chosenBlocks(blocks, keys)
}
