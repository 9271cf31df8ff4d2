import { AppError, message, type Plan, type PlannerDataset, type Statement } from '@parquetry/model'
import { pythonText } from '../read/python-text.ts'
import type { RestrictedQuery } from '../row-level-security.ts'
import { inlineValues, renderSql } from '../sql/render.ts'
import type { Sql } from '../sql/sql.ts'
import { toShareableQuery, type ShareableQuery } from '../shared-scans/shareable-query.ts'
import { parseIso } from '../time-range/naive-time.ts'
import type { TimeRange } from '../time-range/resolve-time-range.ts'
import { isBaseAxis } from './dimensions.ts'
import { isTemporalRange, readRangeText } from './filters.ts'
import { planLayout } from './layout.ts'
import { checkMetricsExist } from './metrics.ts'
import { checkColumnsExist } from './missing-columns.ts'
import { planColumns } from './plan-columns.ts'
import { reportedFilters, type RejectedFilter } from './reported-filters.ts'
import { resolveQueryRange } from './resolve-query-range.ts'
import { applyResultType, resolveRowLimit } from './result-type.ts'
import { mergeTimeFilters } from './merge-time-filters.ts'
import { invalidQuery, timestampLabel, type PlanContext, type Scope } from './scope.ts'
import { buildStatement, countRowsSql, type BuiltStatement } from './statement.ts'
import { planTimeOffsets } from './time-offsets.ts'
import { listSummedMetrics, planSteps } from './wholes.ts'

/** Plan and the metadata that the response contains beside the data. */
export interface QueryPlan {
  plan: Plan
  applied_filters: { column: string }[]
  rejected_filters: RejectedFilter[]
  /** Ends of `time_range` in milliseconds since 1970; null is open. */
  from_dttm: number | null
  to_dttm: number | null
  /** End of the query along its time axis in milliseconds since 1970; null is open, or there is no such axis. */
  ends_at: number | null
  /** SQL with values as literals, for display; time offsets follow the main query. */
  queryText: string
  /** How it may share a scan with other queries; null when it must run alone. */
  shareable: ShareableQuery | null
}

/**
 * Translates a query over a dataset into statements for its engine. Pure: the clock is `context.now`. With `resultType` `query`,
 * a column that the dataset lacks is left in the text; such a plan must not be run.
 * @throws AppError `invalid_query` with the API's text, `unsupported`, `adhoc_subquery`
 */
export function plan(input: RestrictedQuery, dataset: PlannerDataset, context: PlanContext): QueryPlan {
  const scope = buildScope(input, dataset, context)
  checkScope(scope)
  checkMetricsExist(input, dataset)
  const rows = resolveRowLimit(input, context.resultType, context.settings)
  const { main, offsets, statements } = buildStatements(scope, rows)
  const layout = planLayout(dataset, context)
  const isAlone =
    scope.query.is_rowcount || offsets.length > 0 || main.wholes.length > 0 || context.resultType === 'query'
  return {
    plan: {
      source: context.source,
      statements: statements.map(({ name, piece }): Statement => ({ name, ...renderSql(piece, context.dialect) })),
      joins: offsets.map(({ join }) => join),
      steps: planSteps(scope.query, main.wholes),
      ...(layout && { layout }),
      columns: scope.query.is_rowcount
        ? [{ name: 'rowcount', kind: null }]
        : planColumns(main.dimensions, [...main.measures, ...main.wholes], scope),
      encode: context.encode,
      limits: { ...context.limits, rows: scope.query.is_rowcount ? 1 : rows },
      guard: statements.some(({ piece }) => piece.isByUser) ? 'user-sql' : 'ours',
    },
    ...reportedFilters(scope),
    from_dttm: milliseconds(scope.range.since),
    to_dttm: milliseconds(scope.range.until),
    ends_at: findEnd(scope),
    queryText: queryText(
      (hasFasterGroups(main) ? buildStatements(withPlainGroups(scope), rows).statements : statements).map(
        ({ piece }) => piece,
      ),
      context,
    ),
    shareable: isAlone || !main.grouped ? null : toShareableQuery({ ...main, select: main.grouped }, context.dialect),
  }
}

/** Statements of a query: its own, then one per time offset. @param rows  the row limit */
function buildStatements(scope: Scope, rows: number) {
  const { query, context } = scope
  const limit = { rows, offset: query.row_offset ?? 0 }
  const main = buildStatement(scope, limit, query.is_rowcount ? [] : listSummedMetrics(query))
  const offsets = query.is_rowcount ? [] : planTimeOffsets(scope, main)
  const statements: { name: string; piece: Sql }[] = [
    { name: 'query', piece: query.is_rowcount ? countRowsSql(main.piece) : main.piece },
    ...offsets.map(({ scope: shifted, join }) => ({
      name: join.offset,
      piece: buildStatement(shifted, { rows: context.settings.ROW_LIMIT, offset: 0 }).piece,
    })),
  ]
  return { main, offsets, statements }
}

/** Returns whether rows are grouped by another value than the one shown because the engine is faster with it. */
const hasFasterGroups = ({ dimensions }: BuiltStatement): boolean =>
  dimensions.some(({ value, group }) => value !== group)

/** The same query as users would write it, for display: grouped by the values shown. */
const withPlainGroups = (scope: Scope): Scope => ({ ...scope, dialect: { ...scope.dialect, groupedGrain: {} } })

const milliseconds = (iso: string | null) => (iso === null ? null : parseIso(iso))

const queryText = (fragments: Sql[], { dialect }: PlanContext) =>
  `${fragments.map((fragment) => inlineValues(fragment, dialect)).join(';\n\n')};`

function buildScope(input: RestrictedQuery, dataset: PlannerDataset, context: PlanContext): Scope {
  const columns = new Map(dataset.columns.map((column) => [column.column_name, column]))
  const isTemporal = (name: string) => columns.get(name)?.is_dttm ?? false
  const time = { isTemporal, main: dataset.main_dttm_col }
  const query = mergeTimeFilters(applyResultType(context.resultType, input, dataset), time, context.form)
  const named = query.granularity ? columns.get(query.granularity) : undefined
  const main = columns.get(dataset.main_dttm_col ?? '')
  const range = resolveRange(query, context)
  return {
    query,
    dataset,
    context,
    dialect: context.dialect,
    columns,
    metrics: new Map(dataset.metrics.map((metric) => [metric.metric_name, metric])),
    granularity: query.granularity ? (named?.is_dttm ? named : (main ?? null)) : null,
    range,
    innerRange: range,
    // A column of the dataset may have the name of the chart's time.
    isTimeseries:
      query.is_timeseries ?? (!columns.has(timestampLabel) && (query.columns?.includes(timestampLabel) ?? false)),
  }
}

/** Earliest end of the ranges on the column of the time axis, from the query itself and from its filters. */
function findEnd(scope: Scope): number | null {
  const { query, granularity, range } = scope
  const axis = query.columns?.find(isBaseAxis)
  const column =
    axis && isBaseAxis(axis) ? axis.sqlExpression : scope.isTimeseries ? granularity?.column_name : undefined
  if (column === undefined) return null
  const ranged = query.filters?.filter((filter) => isTemporalRange(filter) && filter.col === column) ?? []
  const ends = [
    ...(query.time_range && granularity?.column_name === column ? [range.until] : []),
    ...ranged.map((filter) => (readRangeText(filter) ? resolveQueryRange(readRangeText(filter), scope).until : null)),
  ].flatMap((end) => milliseconds(end) ?? [])
  return ends.length > 0 ? Math.min(...ends) : null
}

/** Without a `time_range` the range still ends today, as in the reference. */
function resolveRange(query: RestrictedQuery, context: PlanContext): TimeRange {
  try {
    return resolveQueryRange(query.time_range, { query, context })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    throw new AppError(error.code, {
      message: `Request is incorrect: ${pythonText({ time_range: [error.message] })}`,
      cause: error,
    })
  }
}

function checkScope(scope: Scope): void {
  const { query, granularity, isTimeseries, context } = scope
  if (context.resultType !== 'query') checkColumnsExist(scope)
  if (isTimeseries && scope.columns.has(timestampLabel) && query.columns?.includes(timestampLabel))
    throw invalidQuery(
      message(
        'errors.query.reservedName',
        'Error: The name {name} is reserved for the time of a chart. Rename the column of the dataset.',
        { name: timestampLabel },
      ),
    )
  if (isTimeseries && !granularity) {
    throw invalidQuery(
      message(
        'errors.query.noTimeColumn',
        'Error: Datetime column not provided as part table configuration and is required by this type of chart',
      ),
    )
  }
  if (!query.metrics?.length && !query.columns?.length)
    throw invalidQuery(message('errors.query.empty', 'Error: Empty query?'))
}
