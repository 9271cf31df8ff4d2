import {
  addExtras,
  baseQuery,
  buildDownloadContext,
  loadStoredForm,
  namedQueries,
  withFilters,
} from '@parquetry/charts'
import { AppError, parseExactJson, type QueryObject } from '@parquetry/model'
import { readQueryContext, readSavedContext } from '@parquetry/query'
import { buildFormData } from '../form-data.ts'
import type { SavedChart } from '../saved-chart-query.ts'
import { formatPart } from './compare-queries.ts'
import type { ExtraFormData } from './declared-extras.ts'

interface SavedQueries {
  queries: QueryObject[]
  /** Allowed x-axes of the form, as `formatPart` writes them. */
  axes: readonly string[]
  /** Users may turn pages and sort them. */
  isPaged: boolean
}

const queriesByChart = new WeakMap<SavedChart, Promise<SavedQueries>>()

/**
 * Returns the queries of a saved chart: those of its form, for drawing and for files, and those of the query context that a
 * client stored with it.
 */
export function listSavedQueries(chart: SavedChart, extras: ExtraFormData | null): Promise<SavedQueries> {
  if (extras) return buildSavedQueries(chart, [extras])
  const found = queriesByChart.get(chart) ?? buildSavedQueries(chart, [])
  queriesByChart.set(chart, found)
  return found
}

async function buildSavedQueries(chart: SavedChart, extras: readonly ExtraFormData[]): Promise<SavedQueries> {
  const form = buildFormData(chart)
  // Clients that do not know the dataset use the temporal columns that are stored with the form.
  const opened = await Promise.all([loadStoredForm(form, chart), loadStoredForm(form)])
  const stored = opened.filter((each) => each !== undefined)
  const sources = [
    ...stored.map((each) => () => Object.values(namedQueries(each.chart, withFilters(each.form, extras)))),
    ...stored.map((each) => () => buildDownloadContext(each.chart, withFilters(each.form, extras), 'csv').queries),
    () => readSavedContext(parseExactJson(chart.query_context ?? '')).queries.map((query) => withExtras(query, extras)),
  ]
  const queries = sources.flatMap((list) => readOrNone(() => list().map(readQuery)))
  const axes = [undefined, form['x_axis'], ...stored.map((each) => each.form['x_axis'])].map(formatPart)
  return { queries, axes, isPaged: stored.some((each) => each.form['server_pagination'] === true) }
}

/** Adds extras to a query of a stored query context in the way that dashboards do. */
function withExtras(query: QueryObject, extras: readonly ExtraFormData[]): QueryObject {
  const { applied_time_extras } = baseQuery(withFilters({}, extras))
  return { ...addExtras(query, extras), applied_time_extras: { ...query.applied_time_extras, ...applied_time_extras } }
}

/** Returns no queries for a saved form that cannot be read. */
function readOrNone<T>(read: () => T[]): T[] {
  try {
    return read()
  } catch (error) {
    if (error instanceof AppError || error instanceof SyntaxError) return []
    throw error
  }
}

/** Normalizes a query in the way that queries of requests are read. */
export function readQuery(query: QueryObject): QueryObject {
  const datasource = { id: 0, type: 'table' }
  const [read] = readQueryContext({ datasource, queries: [JSON.parse(JSON.stringify(query))] }).queries
  return read!
}
