import { readForm } from '@parquetry/charts'
import {
  AppError,
  message,
  type Message,
  type Translate,
  type AnnotationResults,
  type AnnotationData,
  type AnnotationLayer,
  type QueryContext,
  type QueryObject,
} from '@parquetry/model'
import { createComparisonPeriod, findRangeText, formatLocalIso, type ComparisonPeriod } from '@parquetry/query'
import { canSeeChart } from '../access/access.ts'
import { hasPermission } from '../access/principal.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { datasetAccessError } from '../dataset/stored-dataset.ts'
import { errorTranslator } from '../settings/messages.ts'
import { readViewerRules } from '../settings/viewer-rules.ts'
import { toAppError } from '../store/failure.ts'
import { parseOrigin, resolveQuery } from './resolve-query.ts'
import { resultTypeOf, type ResolvedQuery } from './resolved-query.ts'
import { runQuery } from './run-query.ts'
import { buildChartContext, buildSavedChartQuery, withTemporalColumns } from './saved-chart-query.ts'
import { isOwnQuery } from './viewer-queries/authorize-viewer-query.ts'

type LayerRequest = readonly [name: string, data: Promise<AnnotationData>]

/** Fetches the layers of a query concurrently. Formulas are evaluated by the client. */
const requestLayers = (resolved: ResolvedQuery, query: QueryObject, signal: AbortSignal): LayerRequest[] =>
  ((query.annotation_layers ?? []) as AnnotationLayer[])
    .filter(({ annotationType }) => annotationType !== 'FORMULA')
    .map((layer) => [
      layer.name,
      layer.sourceType === 'NATIVE' ? readNativeLayer(resolved, layer) : readChartLayer(resolved, query, layer, signal),
    ])

/** Returns `annotation_data` of a query. As in the API, one failing layer fails the query. */
export async function fetchAnnotationData(
  resolved: ResolvedQuery,
  query: QueryObject,
  signal: AbortSignal,
): Promise<Record<string, AnnotationData>> {
  const layers = requestLayers(resolved, query, signal).map(async ([name, data]) => [name, await data] as const)
  return Object.fromEntries(await Promise.all(layers))
}

/** Returns the data and errors of all layers; undefined when the query has no layers to fetch. */
export async function fetchAnnotations(
  resolved: ResolvedQuery,
  query: QueryObject,
  signal: AbortSignal,
): Promise<AnnotationResults | undefined> {
  const layers = requestLayers(resolved, query, signal)
  if (layers.length === 0) return undefined
  const settled = await Promise.allSettled(layers.map(([, data]) => data))
  const results: AnnotationResults = { data: {}, errors: {} }
  settled.forEach((outcome, index) => {
    const name = layers[index]?.[0] ?? ''
    if (outcome.status === 'fulfilled') return define(results.data, name, outcome.value)
    if (isWholeQueryError(outcome.reason, signal)) throw outcome.reason
    if (!(outcome.reason instanceof AppError))
      resolved.deps.log.error({ err: outcome.reason as unknown }, 'an annotation layer failed')
    const translate = errorTranslator(resolved.deps.settings)
    define(results.errors, name, formatLayerError(toAppError(outcome.reason), translate))
  })
  return results
}

/** Defines a property safely, because the name is user input. */
const define = <T>(record: Record<string, T>, name: string, value: T): void => {
  Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true })
}

const isWholeQueryError = (reason: unknown, signal: AbortSignal): boolean =>
  signal.aborted || (reason instanceof AppError && reason.code === 'not_cached')

/** Returns the message that users know for this failure. */
export const formatLayerError = (error: AppError, translate: Translate): string =>
  error.code === 'query_timeout'
    ? translate('errors.chart.annotationTimeout', 'Query timeout')
    : error.translate(translate).message || translate('errors.chart.annotationFailed', 'Network error.')

/** Error with the message and status of the API. */
const apiError = (problem: Message): AppError => new AppError('invalid_query', { message: problem, status: 400 })

const parseLayerId = ({ value }: AnnotationLayer): number => {
  const id = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return Number.isSafeInteger(id) ? (id as number) : -1
}

const columns = ['start_dttm', 'end_dttm', 'short_descr', 'long_descr', 'json_metadata'] as const

async function readNativeLayer(resolved: ResolvedQuery, layer: AnnotationLayer): Promise<AnnotationData> {
  const { db } = resolved.deps
  const id = parseLayerId(layer)
  const found = await db.selectFrom('annotation_layer').select('id').where('id', '=', id).executeTakeFirst()
  if (!found || !(await canReadLayer(resolved, id)))
    throw apiError(message('errors.chart.annotationLayerMissing', 'Error: The annotation layer does not exist'))
  const rows = await db
    .selectFrom('annotation')
    .select([...columns])
    .where('layer_id', '=', id)
    .orderBy('start_dttm')
    .orderBy('id')
    .execute()
  const records = rows.map((row) => ({ ...row, start_dttm: utc(row.start_dttm), end_dttm: utc(row.end_dttm) }))
  return { columns, records }
}

const utc = (stored: string): number => Date.parse(`${stored}Z`)

/** Allows users who may read annotations, and viewers of a chart that was saved with this layer. */
async function canReadLayer({ principal, context, stored, deps }: ResolvedQuery, layer: number): Promise<boolean> {
  if (hasPermission(principal, ['can_read', 'Annotation'])) return true
  const chart = await deps.db
    .selectFrom('chart')
    .select('params')
    .where('id', '=', Number(context.form_data?.['slice_id'] ?? -1))
    .where('datasource_id', '=', stored.row.id)
    .executeTakeFirst()
  const { annotation_layers: layers } = readForm(chart?.params)
  return (Array.isArray(layers) ? (layers as (AnnotationLayer | null)[]) : []).some(
    (each) => each?.sourceType === 'NATIVE' && parseLayerId(each) === layer,
  )
}

/**
 * Maximum size of one layer, and of all layers of a call. Rows of layers are parsed in this process, which blocks other requests.
 */
const maxBytes = { layer: 4 << 20, call: 8 << 20 }
const parseYielder = new EventLoopYielder()
const bytesByContext = new WeakMap<QueryContext, number>()

/** @throws AppError `result_too_large` when the layer exceeds a limit */
function checkSize(context: QueryContext, bytes: number): void {
  const all = (bytesByContext.get(context) ?? 0) + bytes
  if (bytes > maxBytes.layer || all > maxBytes.call)
    throw new AppError('result_too_large', {
      message: message(
        'errors.chart.annotationTooLarge',
        'The chart returns too many rows to overlay on another chart. Lower its row limit.',
      ),
    })
  bytesByContext.set(context, all)
}

/**
 * Returns the rows of another chart, if the user may see it and read its data. A user who reads that data only as a viewer of the
 * dashboard gets the rows only within a query of the dashboard. Annotations of that chart are ignored.
 * @param parentQuery  the query that contains the layer
 */
async function readChartLayer(
  resolved: ResolvedQuery,
  parentQuery: QueryObject,
  layer: AnnotationLayer,
  signal: AbortSignal,
): Promise<AnnotationData> {
  const { deps, principal, context, onlyCached = false, isInteractive = false, notBefore } = resolved
  const rows = await deps.db.selectFrom('chart').selectAll().where('id', '=', parseLayerId(layer)).execute()
  const [chart] = await withTemporalColumns(deps.db, rows)
  const missing = () => apiError(message('errors.chart.annotationChartMissing', 'Error: The chart does not exist'))
  if (!chart) throw missing()
  const { time_range, time_grain_sqla, adhoc_filters, filters } = layer.overrides ?? {}
  const overrides = Object.entries({ time_range, time_grain_sqla, adhoc_filters, filters })
  const extras = Object.fromEntries(overrides.filter(([, value]) => Boolean(value)))
  const dashboardId = context.form_data?.['dashboardId']
  const contextDashboardId = typeof dashboardId === 'number' ? dashboardId : null
  const force = context.force === true || layer.force === true
  // Everything about the chart, including its name, is visible only to users who may read its data.
  const { via, ...resolvedChart } = await resolveQuery(
    { ...buildChartContext(chart, contextDashboardId), force },
    deps,
    principal,
  )
  const access = { db: deps.db, principal, ...readViewerRules(deps.settings) }
  if (!via && !(await canSeeChart(access, chart.id, contextDashboardId))) throw missing()
  const parentPath = parseOrigin(context).via
  if (via && !(parentPath && (await isOwnQuery(resolved, parentPath, parentQuery, resultTypeOf(context, parentQuery)))))
    throw datasetAccessError(resolvedChart.stored.row)
  const source = await buildSavedChartQuery(chart, {}, [extras], contextDashboardId)
  const [query] = source.context.queries
  const { slice_name } = chart
  if (!query) return { records: [], slice_name }
  const period = resolveTimeShift(layer, query, resolved)
  const range = period?.range(findRangeText(query))
  const shiftedQuery = { ...query, ...(range && { time_range: range }) }
  const { run } = await runQuery(
    { ...resolvedChart, via: null, onlyCached, isInteractive, ...(notBefore !== undefined && { notBefore }) },
    shiftedQuery,
    { as: 'rows', times: 'ms' },
    'full',
    signal,
  )
  checkSize(context, run.body.length)
  await parseYielder.yieldIfDue()
  const records = JSON.parse(run.body.toString()) as AnnotationData['records']
  return {
    records: period ? records.map((record) => shiftRecord(record, period)) : records,
    slice_name,
    ...(layer.withForm === true && { form_data: { ...readForm(chart.params), viz_type: chart.viz_type } }),
  }
}

/** Returns the earlier time whose values are overlaid on the current ones. */
function resolveTimeShift(
  { annotationType, overrides }: AnnotationLayer,
  { extras }: QueryObject,
  { deps }: ResolvedQuery,
) {
  const shift = overrides?.['time_shift']
  if (annotationType !== 'TIME_SERIES' || typeof shift !== 'string' || shift.trim() === '') return null
  return createComparisonPeriod(shift, {
    now: formatLocalIso(deps.now().getTime(), deps.settings.timeZone),
    relativeStart: extras?.relative_start,
    relativeEnd: extras?.relative_end,
  })
}

/** The first column of a time series is the time. */
function shiftRecord(record: Record<string, unknown>, period: ComparisonPeriod): Record<string, unknown> {
  const [name] = Object.keys(record)
  const time = name === undefined ? null : record[name]
  return name !== undefined && typeof time === 'number' ? { ...record, [name]: period.onward(time) } : record
}
