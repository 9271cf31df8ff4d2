import { listRequestedLayers, readForm, type ChartForm } from '@parquetry/charts'
import { AppError, type AnnotationLayer, message, type Message, parseJsonObject, subjectId } from '@parquetry/model'
import type { Kysely } from 'kysely'
import type { Tables } from '../store/tables.ts'
import { datasetAccess, type AccessContext } from './access.ts'
import { hashText, lacksAccess } from './grant-keys.ts'
import type { Principal } from './principal.ts'

/** Stored fields of a chart that determine its queries. */
export interface StoredQueries {
  viz_type: string | null
  params: string | null
  query_context: string | null
}

/** Hash of everything that determines the queries of a chart; charts with the same hash grant the same access. */
export const hashQueries = ({ viz_type, params, query_context }: StoredQueries): string =>
  hashText([viz_type, params, query_context])

/** Another chart whose data a chart draws. */
interface LayerChart {
  id: number
  /** Identifies how it is drawn, as far as this changes its data. */
  key: string
  /** Names of the settings that replace those of the chart. */
  overrides: string[]
}

const asList = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const sorted = (fields: Record<string, unknown>) =>
  Object.entries(fields)
    .filter(([, value]) => value !== null && value !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))

const toLayerChart = (layer: unknown): LayerChart[] => {
  if (!isObject(layer) || layer['annotationType'] === 'FORMULA' || layer['sourceType'] === 'NATIVE') return []
  // A layer without a source draws nothing.
  const id = Number(layer['value'] ?? Number.NaN)
  if (!Number.isSafeInteger(id)) return []
  const overrides = sorted(isObject(layer['overrides']) ? layer['overrides'] : {})
  const { annotationType, withForm } = layer as Partial<AnnotationLayer>
  const key = JSON.stringify([annotationType, withForm === true, overrides])
  return [{ id, key, overrides: overrides.map(([name]) => name) }]
}

/** Fields of a form with the ids of charts that it draws itself. */
const chartFields = ['line_charts', 'line_charts_2', 'deck_slices']

/** All charts that a chart draws, in its form or in its stored query context. */
export function listLayerCharts({ viz_type, params, query_context }: StoredQueries): LayerChart[] {
  const form = readForm(params) as ChartForm
  const shown = asList(form['annotation_layers'])
    .filter(isObject)
    .map((layer) => ({ ...layer, show: true }))
  const named = chartFields.flatMap((field) =>
    [form[field]]
      .flat()
      .map((id: unknown) => ({ id: Number(id), key: hashText([field, viz_type, params]), overrides: [] })),
  )
  const stored = asList(parseJsonObject(query_context)['queries']).flatMap((query) =>
    isObject(query) ? asList(query['annotation_layers']) : [],
  )
  return [
    ...listRequestedLayers({ ...form, annotation_layers: shown as unknown as AnnotationLayer[] }).flatMap(toLayerChart),
    ...shown.flatMap(toLayerChart),
    ...named.filter(({ id }) => Number.isSafeInteger(id) && id > 0),
    ...stored.flatMap(toLayerChart),
  ]
}

/** A chart that does not exist, whose data no one may read. */
export const missingDataset = -1

/** Datasets of charts by the id of the chart. */
export async function findDatasetsOf(db: Kysely<Tables>, charts: readonly number[]): Promise<Map<number, number>> {
  if (charts.length === 0) return new Map()
  const ids = [...new Set(charts)]
  const rows = await db.selectFrom('chart').select(['id', 'datasource_id']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, datasource_id }) => [id, datasource_id]))
}

interface ChartGrant {
  chart: number
  dataset: number
  kind: 'asks' | 'viewer' | 'layer'
  isViewed: boolean
  /** The layer replaces more than the time of its chart. */
  isForeign: boolean
}

export type ChartGrants = ReadonlyMap<string, ChartGrant>

/** Settings of a layer that Explore offers, and their names in older forms. */
const timeOverrides = new Set([
  'time_range',
  'time_grain_sqla',
  'time_shift',
  'granularity',
  'granularity_sqla',
  'since',
  'until',
])
/** Charts of charts pass on their own filters. */
const lineOverrides = new Set([...timeOverrides, 'adhoc_filters', 'filters'])

type ChartContext = { principal: Principal } & Partial<Pick<AccessContext, 'viewerData'>>

/**
 * Returns the data that charts show: to their viewers, and of other charts as layers. Empty for principals who may read all data
 * anyway.
 */
export async function findChartGrants(
  db: Kysely<Tables>,
  { principal, viewerData }: ChartContext,
  charts: readonly number[],
): Promise<ChartGrants> {
  const grants = new Map<string, ChartGrant>()
  if (charts.length === 0 || !datasetAccess(principal)) return grants
  const ids = [...new Set(charts)]
  const [rows, users, roles, groups] = await Promise.all([
    db
      .selectFrom('chart')
      .select(['id', 'datasource_id', 'viz_type', 'params', 'query_context'])
      .where('id', 'in', ids)
      .execute(),
    db.selectFrom('chart_viewer').select(['chart_id', 'user_id']).where('chart_id', 'in', ids).execute(),
    db.selectFrom('chart_viewer_role').select(['chart_id', 'role_id']).where('chart_id', 'in', ids).execute(),
    db.selectFrom('chart_viewer_group').select(['chart_id', 'group_id']).where('chart_id', 'in', ids).execute(),
  ])
  const viewers = Map.groupBy(
    [
      ...users.map(({ chart_id, user_id }) => ({ chart_id, subject: subjectId('user', user_id) })),
      ...roles.map(({ chart_id, role_id }) => ({ chart_id, subject: subjectId('role', role_id) })),
      ...groups.map(({ chart_id, group_id }) => ({ chart_id, subject: subjectId('group', group_id) })),
    ],
    ({ chart_id }) => chart_id,
  )
  const layers = new Map(rows.map((row) => [row.id, listLayerCharts(row)]))
  const datasets = await findDatasetsOf(
    db,
    [...layers.values()].flat().map(({ id }) => id),
  )
  for (const { id, datasource_id: dataset, ...queries } of rows) {
    const own = viewers.get(id) ?? []
    const grant = { chart: id, dataset, isViewed: own.length > 0, isForeign: false }
    grants.set(JSON.stringify([id, dataset, hashQueries(queries)]), { ...grant, kind: 'asks' })
    if (viewerData?.charts)
      for (const { subject } of own)
        grants.set(JSON.stringify([id, dataset, 'viewer', subject]), { ...grant, kind: 'viewer' })
    const allowed = queries.viz_type === 'line_multi' ? lineOverrides : timeOverrides
    for (const layer of layers.get(id) ?? []) {
      const layerDataset = datasets.get(layer.id) ?? missingDataset
      const isForeign = !layer.overrides.every((name) => allowed.has(name))
      const key = JSON.stringify([id, 'layer', layer.id, layer.key])
      grants.set(key, { ...grant, kind: 'layer', dataset: layerDataset, isForeign })
    }
  }
  return grants
}

/**
 * Prevents users from reading data through charts that they may change without access to its dataset: what a chart with viewers
 * asks, new viewers who read it (`VIEWER_PROMISCUOUS_MODE`), and other charts as layers. What is unchanged stays.
 * @param before  the same before the change, read in the same transaction
 * @throws AppError `unprocessable`
 */
export async function authorizeChartGrants(
  db: Kysely<Tables>,
  context: ChartContext,
  charts: readonly number[],
  before: ChartGrants,
): Promise<void> {
  const existed = new Set([...before.values()].map(({ chart }) => chart))
  const added = [...(await findChartGrants(db, context, charts))]
    .filter(([key]) => !before.has(key))
    .map(([, grant]) => grant)
    // Creating a chart requires access to its dataset, and imported charts have no viewers.
    .filter(({ kind, chart, isViewed }) => kind !== 'asks' || (isViewed && existed.has(chart)))
  if (added.some(({ isForeign }) => isForeign)) throw refusal(foreignLayer)
  const ofKind = (isLayer: boolean) =>
    added.filter(({ kind }) => (kind === 'layer') === isLayer).map(({ dataset }) => dataset)
  if (await lacksAccess(db, context.principal, ofKind(true))) throw refusal(unreadableLayer)
  if (await lacksAccess(db, context.principal, ofKind(false))) throw refusal(opensChart)
}

const refusal = (text: Message): AppError => new AppError('unprocessable', { message: text })

const foreignLayer = message(
  'errors.access.foreignLayer',
  'An annotation layer can change only the time range, time grain and time shift of its chart.',
)
const unreadableLayer = message(
  'errors.access.unreadableLayer',
  'The chart draws data of other charts, and you do not have access to all of it. Ask for access to the data first.',
)
const opensChart = message(
  'errors.access.opensChart',
  'The viewers of this chart see its data, and you do not have access to it. Ask for access to the data first.',
)
