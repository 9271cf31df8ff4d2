import { createHash } from 'node:crypto'
import { type BundleType, toFileName } from './bundle.ts'
import type { BundleEntry } from './entries.ts'
import { layOutCharts } from './old-layout.ts'
import { convertImmuneCharts } from './old-scopes.ts'
import { createMetadata } from './place-document.ts'

type Fields = Record<string, unknown>

/**
 * Reads the exports that Superset had before bundles: JSON of dashboards with their charts and datasets, and YAML of databases with
 * their tables, or of tables alone. UUIDs that are missing are made from names and ids, so that importing a file again finds what
 * it created.
 * @returns a bundle whose datasets name their database; undefined for any other value
 */
export function readOldExport(value: object): BundleEntry[] | undefined {
  if (Array.isArray(value)) return value.every(isTable) && value.length > 0 ? readTables(value, undefined) : undefined
  const { dashboards, datasources, databases, druid_clusters: clusters } = value as Fields
  if (Array.isArray(dashboards) && dashboards.some((item) => isFields(item) && isFields(item['__Dashboard__'])))
    return readDashboards(dashboards, Array.isArray(datasources) ? datasources : [])
  const [connections, druid] = [toList(databases), toList(clusters)]
  if (connections.length + druid.length > 0) return readDatabases(connections, druid)
  return undefined
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const toList = (value: unknown): Fields[] => (Array.isArray(value) ? value.filter(isFields) : [])
const isTable = (value: unknown): value is Fields => isFields(value) && typeof value['table_name'] === 'string'
const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** Objects of a list whose items are wrapped in the name of their class. */
const unwrap = (list: unknown, name: string): Fields[] =>
  (Array.isArray(list) ? list : []).flatMap((item) => (isFields(item) && isFields(item[name]) ? [item[name]] : []))

/** The same for items that may have no wrapper. */
function unwrapAny(list: unknown, name: string): Fields[] {
  const wrapped = unwrap(list, name)
  return wrapped.length > 0 ? wrapped : toList(list)
}

/** The value in a text field; an empty object if there is none. */
function parseJson(value: unknown): unknown {
  if (typeof value === 'object' && value !== null) return value
  try {
    return JSON.parse(toText(value) || '{}') as unknown
  } catch {
    return {}
  }
}

/** The object in a text field; empty if there is none. */
function parseFields(value: unknown): Fields {
  const parsed = parseJson(value)
  return isFields(parsed) ? parsed : {}
}

/** Facts of the database that it was exported from, which mean nothing elsewhere. */
const internal = /^(id|table_id|database_id|dashboard_id|perm|schema_perm|(created|changed)_(on|by_fk)|slices)$/
const tracking = new Set(['remote_id', 'import_time', 'datasource_name', 'database_name', 'schema'])

const dropInternal = (fields: Fields): Fields =>
  Object.fromEntries(
    Object.entries(fields)
      .filter(([key]) => !internal.test(key))
      .map(([key, value]) => [key, isFields(value) && '__datetime__' in value ? value['__datetime__'] : value]),
  )

const dropTracking = (fields: Fields): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([key]) => !tracking.has(key)))

const uuidPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** The UUID of an object, or one made from what identifies it. */
function chooseUuid(given: unknown, ...identity: unknown[]): string {
  if (typeof given === 'string' && uuidPattern.test(given)) return given
  const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex')
  // The form of version 8: made by other means than chance or time.
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `8${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-')
}

/** A bundle under construction, whose files have different paths. */
class Files {
  readonly entries: BundleEntry[]
  #paths = new Set<string>()

  constructor(type: BundleType) {
    this.entries = [createMetadata(type)]
  }

  add(folder: string, name: string, document: Fields): void {
    const base = `${folder}/${toFileName(name)}`
    let path = `${base}.yaml`
    for (let number = 2; this.#paths.has(path); number += 1) path = `${base}-${number}.yaml`
    this.#paths.add(path)
    this.entries.push([path, { ...document, version: '1.0.0' }])
  }
}

function readDashboards(dashboards: unknown[], datasources: unknown[]): BundleEntry[] {
  const files = new Files('Dashboard')
  for (const table of unwrap(datasources, '__SqlaTable__')) addTable(files, table, undefined)
  addDruid(files, unwrap(datasources, '__DruidDatasource__'))
  const charts = new Set<string>()
  for (const dashboard of unwrap(dashboards, '__Dashboard__')) {
    const slices = unwrap(dashboard['slices'], '__Slice__')
    const uuids = new Map(slices.map((slice) => [Number(slice['id']), chooseChartUuid(slice)]))
    const position = layOutCharts(parseJson(dashboard['position_json']), slices, uuids)
    // A chart keeps the UUID that the layout gives it.
    for (const { meta } of Object.values(position).filter(isFields) as { meta?: Fields }[])
      if (meta && uuids.has(Number(meta['chartId']))) uuids.set(Number(meta['chartId']), toText(meta['uuid']))
    for (const slice of slices) {
      const uuid = uuids.get(Number(slice['id']))!
      if (charts.has(uuid)) continue
      charts.add(uuid)
      addChart(files, slice, uuid)
    }
    const filters = slices.filter((slice) => slice['viz_type'] === 'filter_box')
    const metadata = convertImmuneCharts(
      parseFields(dashboard['json_metadata']),
      new Map(filters.map((slice) => [Number(slice['id']), parseFields(slice['params'])])),
    )
    const { position_json: _position, json_metadata: _metadata, ...fields } = dropInternal(dashboard)
    const title = toText(dashboard['dashboard_title'])
    const id = toText(metadata['remote_id'])
    files.add('dashboards', id === '' ? title : `${title}_${id}`, {
      ...fields,
      uuid: chooseUuid(dashboard['uuid'], 'dashboard', title, metadata['remote_id']),
      position,
      metadata: dropTracking(metadata),
    })
  }
  return files.entries
}

const chooseChartUuid = (slice: Fields): string =>
  chooseUuid(slice['uuid'], 'chart', slice['id'], slice['slice_name'], slice['viz_type'])

function addChart(files: Files, slice: Fields, uuid: string): void {
  const params = parseFields(slice['params'])
  const {
    datasource_name: name,
    datasource_type: _type,
    datasource_id: _id,
    query_context: context,
    ...fields
  } = dropInternal(slice)
  files.add('charts', `${toText(slice['slice_name'])}_${toText(slice['id'])}`, {
    ...fields,
    params: dropTracking(params),
    ...(typeof context === 'string' && { query_context: context }),
    uuid,
    dataset_uuid: chooseTableUuid(params['database_name'], params['schema'], params['datasource_name'] ?? name),
  })
}

const chooseTableUuid = (database: unknown, schema: unknown, table: unknown): string =>
  chooseUuid(undefined, 'dataset', database ?? null, schema || null, table ?? null)

/** Datasets get their UUID from their names, by which charts refer to them. */
function addTable(files: Files, table: Fields, database: string | undefined): void {
  const params = parseFields(table['params'])
  const name = database ?? params['database_name']
  const { columns, metrics, ...fields } = dropInternal(table)
  const own = dropTracking(params)
  files.add(`datasets/${toFileName(toText(name))}`, toText(table['table_name']), {
    ...fields,
    params: Object.keys(own).length > 0 ? own : null,
    columns: unwrapAny(columns, '__TableColumn__').map(dropInternal),
    metrics: unwrapAny(metrics, '__SqlMetric__').map(dropInternal),
    uuid: chooseTableUuid(name, table['schema'], table['table_name']),
    database_name: name ?? null,
  })
}

/**
 * Datasources of Druid clusters, to which Superset 1.x connected by another protocol: a connection per cluster, which explains that
 * it cannot be opened, and a dataset per datasource, so that their charts stay intact.
 */
function addDruid(files: Files, datasources: readonly Fields[]): void {
  const clusters = new Set<string>()
  for (const { datasource_name: name, cluster_name: cluster, cluster_id: _id, metrics, ...datasource } of datasources) {
    const database = toText(cluster) || toText(parseFields(datasource['params'])['database_name']) || 'Druid'
    if (!clusters.has(database))
      files.add('databases', database, { database_name: database, sqlalchemy_uri: 'druid://cluster' })
    clusters.add(database)
    addTable(
      files,
      {
        ...datasource,
        table_name: name,
        columns: unwrapAny(datasource['columns'], '__DruidColumn__'),
        // The JSON of a metric is what it computes.
        metrics: unwrapAny(metrics, '__DruidMetric__').map((metric) => ({
          ...metric,
          expression: toText(metric['json']) || toText(metric['metric_name']),
        })),
      },
      database,
    )
  }
}

function readTables(tables: Fields[], database: string | undefined): BundleEntry[] {
  const files = new Files('SqlaTable')
  for (const table of tables) addTable(files, table, database)
  return files.entries
}

function readDatabases(databases: Fields[], clusters: Fields[]): BundleEntry[] {
  const files = new Files('SqlaTable')
  for (const { tables, ...database } of databases) {
    const name = toText(database['database_name'])
    files.add('databases', name, dropInternal(database))
    for (const table of Array.isArray(tables) ? tables.filter(isTable) : []) addTable(files, table, name)
  }
  for (const { cluster_name, datasources } of clusters)
    addDruid(
      files,
      toList(datasources).map((datasource) => ({ ...datasource, cluster_name })),
    )
  return files.entries
}
