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
import { type ListPage, readPage } from './page-cache.ts'
import { resolveColumn } from './page-reads.ts'
import type { Principal } from '../access/principal.ts'
import type { RelatedSource } from './related.ts'

/** Context for reading a resource. */
export interface ReadContext extends AccessContext {
  now: Date
  /** TAGGING_SYSTEM: objects have tags. */
  hasTags: boolean
  /** See `ViewerRules`. */
  showsToCreatorGroups?: boolean
  /** `LINK_QUOTA_MB` */
  linkQuotaMb: number
}

/**
 * Returns the values of one column head (`owners` of `owners.id`) for the rows of a page, in their order. A promise is cached with
 * the rows, so its values must not depend on the time of the call.
 */
export type ColumnResolver<Row> = (rows: readonly Row[], context: ReadContext) => unknown[] | Promise<unknown[]>

/**
 * Columns of a list or detail. `_info` and default responses contain the announced ones; later releases of the API added the
 * others, which are sent on request.
 */
export interface ColumnSet {
  announced: readonly string[]
  unannounced?: readonly string[]
}

/** A kind of object and how the standard routes read it. Everything that leaves the server is listed here. */
export interface Resource<Row extends { id: number }> {
  kind: ObjectKind | 'log'
  /** Name of the resource in titles: `List Slice`. */
  title: string
  /** Title of the list if it does not follow from `title`. */
  listTitle?: string
  view: string
  list: ColumnSet
  show: ColumnSet
  labels?: Record<string, string>
  /**
   * Columns of the table that are read for every row, and large ones that are read only when requested. All are read if omitted.
   */
  stored?: { always: readonly string[]; requested: readonly string[] }
  /** Sort expressions by column: a column, or a condition-free SQL expression. */
  order: Record<string, string | ReturnType<typeof sql>>
  /** Default sort column and direction. */
  defaultOrder: [column: string, direction: 'asc' | 'desc']
  filters: Record<string, Filter>
  resolvers: Record<string, ColumnResolver<Row>>
  related: Record<string, RelatedSource>
  /** Columns whose distinct values can be requested. */
  distinct: readonly string[]
  /** Permissions of later releases: granted and checked, but not announced. */
  laterPermissions?: readonly string[]
  /** Bodies of POST and PUT, whose fields `_info` lists. */
  bodies: { add: TSchema; edit: TSchema } | null
  /** Error for a path with neither id nor uuid; the API returns "method not allowed" nearly everywhere. */
  oddId?: () => AppError
  /** Pages are cached until the next change. `table-changes.ts` must count the changes of every table that they are read from. */
  isCached?: true
  /** Columns that also depend on something outside of the store, such as files. */
  uncachedColumns?: readonly string[]
  /** Maximum rows of a page; −1 means no limit and allows −1 to be requested. */
  maxPageSize?: number
}

const defaultPageSize = 20
const defaultMaxPageSize = 100

/** Limit and offset of a page as integers that a store can hold. */
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

/** Total number of rows if the page itself shows it, because it is the last one. */
export const countFromPage = (rows: number, { limit, offset }: ReturnType<typeof resolvePage>): number | undefined =>
  (limit === null || rows < limit) && (rows > 0 || offset === 0) ? offset + rows : undefined

const selectRows = async <Row>(
  db: Kysely<Tables>,
  table: string,
  where: Condition,
  rest = sql``,
  columns = sql`${sql.table(table)}.*`,
): Promise<Row[]> => (await sql<Row>`select ${columns} from ${sql.table(table)} where ${where}${rest}`.execute(db)).rows

/** Columns of the table that a page needs. */
function storedColumns({ kind, stored }: Pick<Resource<never>, 'kind' | 'stored'>, columns: readonly string[]) {
  if (!stored) return undefined
  const names = [...stored.always, ...stored.requested.filter((name) => columns.includes(name))]
  return sql.join(names.map((name) => sql.ref(`${kind}.${name}`)))
}

/** Condition for rows of the resource that the caller may see; the log is guarded only by the route's permission. */
export const accessConditions = ({ kind }: Pick<Resource<never>, 'kind'>, context: AccessContext): Condition[] => {
  const condition = kind === 'log' ? undefined : visibilityCondition(kind, context)
  return condition ? [condition] : []
}

/** Objects of a page as the API sends them: the requested columns, and relations as objects with the requested parts. */
export async function present<Row extends { id: number }>(
  { resolvers, uncachedColumns = [] }: Pick<Resource<Row>, 'resolvers' | 'uncachedColumns'>,
  rows: readonly Row[],
  columns: readonly string[],
  context: ReadContext,
): Promise<Record<string, unknown>[]> {
  const objects: Record<string, unknown>[] = rows.map(() => ({}))
  for (const [field, parts] of parseSelection(columns)) {
    const resolve = Object.hasOwn(resolvers, field) ? resolvers[field] : undefined
    const column = { name: field, parts, isCached: !uncachedColumns.includes(field) }
    const values = resolve
      ? await resolveColumn(rows, column, resolve, context)
      : rows.map((row) => pickFields((row as Record<string, unknown>)[field] ?? null, parts))
    objects.forEach((object, index) => {
      object[field] = values[index] ?? null
    })
  }
  return objects
}

function buildOrderBy<Row extends { id: number }>(resource: Resource<Row>, query: ListQuery) {
  const [defaultColumn, defaultDirection] = resource.defaultOrder
  const column = query.order_column || defaultColumn
  const direction = query.order_column ? (query.order_direction ?? 'asc') : defaultDirection
  const orderBy = Object.hasOwn(resource.order, column) ? resource.order[column] : undefined
  if (orderBy === undefined)
    throw new AppError('bad_request', {
      message: message('errors.http.orderColumn', 'Invalid order by column: {column}', { column }),
    })
  const sqlDirection = sql.raw(direction)
  const expression = typeof orderBy === 'string' ? sql.ref(orderBy) : orderBy
  return sql` order by ${expression} ${sqlDirection}, ${sql.ref(`${resource.kind}.id`)} ${sqlDirection}`
}

/** Spelling of `columns` in newer routes; it is missing in the schema because the API prints the schema in error messages. */
function selectColumns(query: ListQuery): string[] | undefined {
  const { select_columns: columns } = query as { select_columns?: unknown }
  return Array.isArray(columns) ? columns.filter((column) => typeof column === 'string') : undefined
}

/** Reads the rows of a page, and counts those of the whole list. */
async function readRows<Row extends { id: number }>(
  resource: Resource<Row>,
  query: ListQuery,
  {
    columns,
    order,
    within,
  }: { columns: readonly string[]; order: ReturnType<typeof sql>; within: Condition | undefined },
  context: ReadContext,
): Promise<ListPage<Row>> {
  const candidateFilter = await candidateConditions(context.db, resource.kind, context.principal)
  const conditions = [
    ...(within ? [within] : []),
    ...accessConditions(resource, context),
    ...candidateFilter,
    ...(await buildConditions(query.filters, resource.filters, context)),
  ]
  const page = resolvePage(query, resource.maxPageSize)
  const rows = await selectRows<Row>(
    context.db,
    resource.kind,
    and(conditions),
    sql`${order}${tail(page)}`,
    storedColumns(resource, columns),
  )
  const count = countFromPage(rows.length, page)
  if (count !== undefined) return { rows, count, isExact: true }
  if (candidateFilter.length > 0)
    return { rows, count: await countWhere(context.db, resource.kind, conditions), isExact: true }
  return { rows, ...(await countRows(context.db, resource.kind, conditions)) }
}

/** `GET /api/v1/<resource>/`: a page of the objects that the caller may see; `within` restricts it for lists below an object. */
export async function list<Row extends { id: number }>(
  resource: Resource<Row>,
  query: ListQuery,
  context: ReadContext,
  within?: Condition,
): Promise<{ count: number; ids: number[]; result: Record<string, unknown>[] }> {
  const allowed = [...resource.list.announced, ...(resource.list.unannounced ?? [])]
  const requested = query.columns ?? selectColumns(query)
  const columns = chosenColumns(allowed, requested)
  const announced = requested?.length ? columns : resource.list.announced
  const order = buildOrderBy(resource, query)
  const read = () => readRows(resource, query, { columns, order, within }, context)
  const { rows, count } =
    resource.isCached && !within
      ? await readPage(context, [resource.kind, query, context.dashboardRoles, context.viewerData], read)
      : await read()
  const blocks = {
    label_columns: buildLabels(announced, resource.labels),
    description_columns: {},
    list_columns: announced,
    list_title: resource.listTitle ?? `List ${resource.title}`,
    order_columns: Object.keys(resource.order),
  }
  return {
    count,
    ids: rows.map(({ id }) => id),
    result: await present(resource, rows, columns, context),
    ...chosenBlocks(blocks, query.keys),
  }
}

/** Blocks whose names are in `keys`; all when it is empty. */
const chosenBlocks = (blocks: Record<string, unknown>, keys: readonly string[] | undefined) =>
  keys === undefined || keys.length === 0
    ? blocks
    : Object.fromEntries(Object.entries(blocks).filter(([name]) => keys.includes(name)))

const withoutUuid: ReadonlySet<string> = new Set([
  'log',
  'query',
  'permission',
  'permission_name',
  'permission_view',
  'tag',
])
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

/** Condition for one row by the id or uuid in a URL, or by an id in a body; other text in a URL names no object. */
function matchesId(
  { kind, oddId = noSuchMethod }: Pick<Resource<never>, 'kind' | 'oddId'>,
  id: number | string,
): Condition {
  const name = String(id)
  if (/^\d{1,15}$/.test(name)) return sql<SqlBool>`${sql.ref(`${kind}.id`)} = ${Number(name)}`
  if (uuid.test(name) && !withoutUuid.has(kind)) return sql<SqlBool>`${sql.ref(`${kind}.uuid`)} = ${name.toLowerCase()}`
  throw typeof id === 'number' ? new AppError('not_found') : oddId()
}

/**
 * Returns the row that a URL names, if the caller may see it.
 * @param name  id or uuid
 * @throws AppError `not_found`, the same for missing and invisible
 */
export async function visibleRow<Row extends { id: number }>(
  resource: Pick<Resource<Row>, 'kind' | 'oddId'>,
  name: number | string,
  context: AccessContext,
): Promise<Row> {
  const is = matchesId(resource, name)
  const [row] = await selectRows<Row>(context.db, resource.kind, and([is, ...accessConditions(resource, context)]))
  if (!row) throw new AppError('not_found')
  return row
}

/**
 * Returns the rows with these ids. Bulk requests are all or nothing.
 * @throws AppError `not_found` when one of them is missing or invisible, or the list is empty
 */
export async function visibleRows<Row extends { id: number }>(
  resource: Pick<Resource<Row>, 'kind'>,
  ids: readonly number[],
  context: AccessContext,
): Promise<Row[]> {
  const uniqueIds = [...new Set(ids)]
  if (uniqueIds.length === 0) throw new AppError('not_found')
  const inIds = sql<SqlBool>`${sql.ref(`${resource.kind}.id`)} in (${sql.join(uniqueIds)})`
  const rows = await selectRows<Row>(context.db, resource.kind, and([inIds, ...accessConditions(resource, context)]))
  if (rows.length !== uniqueIds.length) throw new AppError('not_found')
  return rows
}

/** `GET /api/v1/<resource>/{id}`. */
export async function show<Row extends { id: number }>(
  resource: Resource<Row>,
  row: Row,
  query: ItemQuery,
  context: ReadContext,
): Promise<{ id: number; result: Record<string, unknown> }> {
  const allowed = [...new Set([...resource.show.announced, ...(resource.show.unannounced ?? [])])]
  const columns = chosenColumns(allowed, query.columns)
  const announced = query.columns?.length ? columns : resource.show.announced
  const [result = {}] = await present(resource, [row], columns, context)
  const blocks = {
    label_columns: buildLabels(announced, resource.labels),
    description_columns: {},
    show_columns: announced,
    show_title: `Show ${resource.title}`,
  }
  return { id: row.id, result, ...chosenBlocks(blocks, query.keys) }
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
    filter.filter(({ unannounced }) => !unannounced).map(({ name, operator }) => ({ name, operator })),
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
