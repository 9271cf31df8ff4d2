import { api } from '../../shared/api.ts'
import { isMissing } from '../persistence/api-errors.ts'
import type { QueryEditor } from '../state.ts'

/** Parameters that an address of SQL Lab may have. */
export interface SqlLabSearch {
  /** Key of `/kv/`. */
  id: string | null
  savedQueryId: number | null
  queryId: number | null
  /** `12__table`. */
  datasourceKey: string | null
  dbid: number | null
  schema: string | null
  catalog: string | null
  sql: string | null
  title: string | null
  name: string | null
  autorun: boolean
  new: boolean
  templateParams: string | null
}

/** Content to open in a new tab. */
export type LinkedTab = Partial<Omit<QueryEditor, 'id'>>

/** A failed opening, reported with the messages of SQL-079, SQL-080 or SQL-111. */
export type LinkKind = 'query' | 'datasource' | 'sql'

export interface LinkedTabNames {
  /** SQL-016. */
  shared: string
  /** SQL-018, SQL-034. */
  copyOf(name: string): string
  /** SQL-019. */
  query(dataset: string): string
}

/** Parameters removed from the address after opening. */
export const linkParams = [
  'id',
  'savedQueryId',
  'queryId',
  'datasourceKey',
  'dbid',
  'schema',
  'catalog',
  'sql',
  'title',
  'name',
  'autorun',
  'new',
  'templateParams',
] as const

/** SQL-020: the part before the double underscore. */
export const parseDatasetId = (datasourceKey: string): number | null => {
  const [id = ''] = datasourceKey.split('__')
  return /^\d+$/.test(id) ? Number(id) : null
}

/** Resolves what an address requests; null when it requests nothing. `kind` selects the error message. */
export function resolveLink(
  search: SqlLabSearch,
  permalink: string | undefined,
  posted: { datasourceKey?: unknown; sql?: unknown } | undefined,
  names: LinkedTabNames,
): { kind: LinkKind; read(signal: AbortSignal): Promise<LinkedTab> } | null {
  const copy = createCopyReader(search, permalink, names)
  const { savedQueryId } = search
  if (savedQueryId !== null)
    return {
      kind: 'query',
      read: async (signal) =>
        readSavedQuery(savedQueryId, signal).catch((error: unknown) => {
          if (copy && isMissing(error)) return copy(signal)
          throw error
        }),
    }
  if (copy) return { kind: 'query', read: copy }
  if (search.queryId !== null)
    return { kind: 'query', read: async (signal) => readPastQuery(search.queryId ?? 0, names, signal) }
  const key = typeof posted?.datasourceKey === 'string' ? posted.datasourceKey : search.datasourceKey
  const sql = typeof posted?.sql === 'string' ? posted.sql : search.sql
  if (key) return { kind: 'datasource', read: async (signal) => readDataset(key, sql, names, signal) }
  if (sql !== null || search.dbid !== null || search.new)
    return {
      kind: 'sql',
      read: async () => ({
        ...(sql !== null && { sql }),
        ...(search.dbid !== null && { dbId: search.dbid, schema: search.schema, catalog: search.catalog }),
        ...((search.title ?? search.name) !== null && { name: search.title ?? search.name ?? '' }),
        ...(search.templateParams !== null && { templateParams: search.templateParams }),
        autorun: search.autorun,
      }),
    }
  return null
}

/** Returns a reader for the text stored for a link. */
function createCopyReader(
  { id }: SqlLabSearch,
  permalink: string | undefined,
  names: LinkedTabNames,
): ((signal: AbortSignal) => Promise<LinkedTab>) | null {
  if (permalink !== undefined) return async (signal) => readPermalink(permalink, names, signal)
  return id === null ? null : async (signal) => readShared(id, names, signal)
}

interface Shared {
  dbId?: number | null
  title?: string | null
  name?: string | null
  schema?: string | null
  catalog?: string | null
  autorun?: boolean | null
  sql?: string
  templateParams?: string | null
}

const toLinkedTab = (shared: Shared, names: LinkedTabNames): LinkedTab => ({
  name: shared.title || shared.name || names.shared,
  dbId: shared.dbId ?? null,
  schema: shared.schema ?? null,
  catalog: shared.catalog ?? null,
  sql: shared.sql ?? '',
  autorun: shared.autorun ?? false,
  ...(shared.templateParams && { templateParams: shared.templateParams }),
})

const readShared = async (key: string, names: LinkedTabNames, signal: AbortSignal): Promise<LinkedTab> =>
  toLinkedTab((await api.get('/kv/:key/', { params: { key: Number(key) }, signal })) as Shared, names)

const readPermalink = async (key: string, names: LinkedTabNames, signal: AbortSignal): Promise<LinkedTab> =>
  toLinkedTab(await api.get('/api/v1/sqllab/permalink/:key', { params: { key }, signal }), names)

/** SQL-017, SQL-046 to SQL-049: a saved query as a tab. */
async function readSavedQuery(id: number, signal: AbortSignal): Promise<LinkedTab> {
  const { result } = await api.get('/api/v1/saved_query/:id', { params: { id }, signal })
  return {
    remoteId: id,
    name: result.label ?? '',
    dbId: result.database?.id ?? null,
    schema: result.schema,
    catalog: result.catalog,
    sql: result.sql ?? '',
    savedSql: result.sql ?? '',
    description: result.description ?? '',
    templateParams: result.template_parameters || '{}',
  }
}

async function readPastQuery(id: number, names: LinkedTabNames, signal: AbortSignal): Promise<LinkedTab> {
  const { result } = await api.get('/api/v1/query/:id', { params: { id }, signal })
  return {
    name: names.copyOf(result.tab_name ?? ''),
    dbId: result.database.id,
    schema: result.schema,
    catalog: result.catalog,
    sql: result.sql ?? '',
  }
}

async function readDataset(
  key: string,
  sql: string | null,
  names: LinkedTabNames,
  signal: AbortSignal,
): Promise<LinkedTab> {
  const id = parseDatasetId(key)
  if (id === null) throw new Error(key)
  const { result } = await api.get('/api/v1/dataset/:id', { params: { id }, q: { keys: ['none'] }, signal })
  return {
    name: names.query(result.table_name),
    dbId: result.database.id,
    schema: result.schema,
    catalog: result.catalog,
    sql: sql ?? (result.sql || result.select_star || ''),
  }
}
