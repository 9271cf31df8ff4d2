import {
  AppError,
  type AdhocMetric,
  type ColumnProfile,
  type DatasetProfile,
  GenericType,
  type PlannerColumn,
  type QueryObject,
} from '@parquetry/model'
import { ansi, inlineValues, sql, type Dialect, type Sql } from '@parquetry/query'
import type { ChartDeps } from '../chart/deps.ts'
import { resolveQuery } from '../chart/resolve-query.ts'
import { prepareQuery } from '../chart/prepare-query.ts'
import { redactQueryError } from '../chart/chart-error.ts'
import { compilePlan, runPlan, type PreparedQuery } from '../chart/resolved-query.ts'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import type { Principal } from '../access/principal.ts'
import { localizeError } from '../settings/messages.ts'

/** Columns counted by one statement; wider tables need several. */
const columnsPerStatement = 50
const barCount = 12
/** Maximum number of rows for which estimated counts are recounted exactly. */
const exactRows = 100_000
const secondsPerDay = 86_400

/** A query whose columns have been authorized, and the times at which its results were read. */
interface ProfileContext {
  prepared: PreparedQuery
  dialect: Dialect
  signal: AbortSignal
  readAt: string[]
  yielder: EventLoopYielder
}

type Row = Record<string, unknown>

const rowEncoding = { as: 'rows', times: 'ms' } as const

/** Returns one row of aggregates. Their SQL is generated from column names only and contains none from users. */
async function runAggregates(
  { prepared, signal, readAt, yielder }: ProfileContext,
  metrics: AdhocMetric[],
): Promise<Row> {
  const query: QueryObject = { columns: [], metrics, row_limit: 1 }
  await yielder.yieldIfDue()
  const { plan } = compilePlan(prepared, query, planContext(prepared, rowEncoding, 'results'))
  const { body, cachedAt } = await runPlan(prepared, plan, signal).catch((error: unknown) => {
    throw redactQueryError(error, prepared)
  })
  readAt.push(cachedAt)
  return (JSON.parse(body.toString()) as Row[])[0] ?? {}
}

const sqlMetric = (label: string, value: Sql, { dialect }: ProfileContext): AdhocMetric => ({
  expressionType: 'SQL',
  sqlExpression: inlineValues(value, dialect),
  label,
  hasCustomLabel: true,
})

const simpleMetric = (label: string, { column_name, type }: PlannerColumn, aggregateName: string): AdhocMetric => ({
  expressionType: 'SIMPLE',
  column: { column_name, type },
  aggregate: aggregateName,
  label,
  hasCustomLabel: true,
})

const isTime = ({ is_dttm, type_generic }: PlannerColumn): boolean => is_dttm || type_generic === GenericType.TEMPORAL
const isNumber = ({ type_generic }: PlannerColumn): boolean => type_generic === GenericType.NUMERIC
const isBoolean = ({ type_generic }: PlannerColumn): boolean => type_generic === GenericType.BOOLEAN

/** Estimated counts may be off by a few percent and exceed the number of rows. */
const isEstimated = (column: PlannerColumn, { dialect }: ProfileContext): boolean =>
  !column.expression && dialect.rollup.distinct !== ansi.rollup.distinct

/** Count, distinct count, minimum and maximum. Calculated columns use named aggregates, which accept their SQL. */
const buildColumnMetrics = (column: PlannerColumn, index: number, context: ProfileContext): AdhocMetric[] => {
  const name = sql.id(column.column_name)
  const distinct = column.expression
    ? simpleMetric(`d${index}`, column, 'COUNT_DISTINCT')
    : sqlMetric(`d${index}`, context.dialect.rollup.distinct(name), context)
  const extremes = isBoolean(column)
    ? []
    : [simpleMetric(`l${index}`, column, 'MIN'), simpleMetric(`h${index}`, column, 'MAX')]
  return [simpleMetric(`n${index}`, column, 'COUNT'), distinct, ...extremes]
}

const toNumber = (value: unknown): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : null

const emptyProfile = (column: PlannerColumn, error: string | null): ColumnProfile => ({
  column_name: column.column_name,
  nulls: null,
  distinct: null,
  distinct_is_near: false,
  min: null,
  max: null,
  bars: [],
  error,
})

const buildDistinct = (count: number | null, nonNullCount: number, isEstimate: boolean) => ({
  distinct: count === null ? null : Math.min(count, nonNullCount),
  distinct_is_near: isEstimate && count !== null && count > 1,
})

interface ColumnCounts {
  rows: number
  columns: ColumnProfile[]
}

/**
 * Counts columns with one statement. If the database rejects it, counts column by column, so that an error affects only its own
 * column.
 */
async function countColumns(columns: readonly PlannerColumn[], context: ProfileContext): Promise<ColumnCounts> {
  const all: AdhocMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows', hasCustomLabel: true }
  try {
    const row = await runAggregates(context, [
      all,
      ...columns.flatMap((column, index) => buildColumnMetrics(column, index, context)),
    ])
    const rows = toNumber(row['rows']) ?? 0
    return {
      rows,
      columns: columns.map((column, index) => ({
        column_name: column.column_name,
        nulls: rows - (toNumber(row[`n${index}`]) ?? rows),
        ...buildDistinct(toNumber(row[`d${index}`]), toNumber(row[`n${index}`]) ?? rows, isEstimated(column, context)),
        min: row[`l${index}`] ?? null,
        max: row[`h${index}`] ?? null,
        bars: [],
        error: null,
      })),
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'query_stopped') throw error
    if (columns.length === 0) throw error
    const [single, ...others] = columns
    if (single && others.length === 0) {
      const text = localizeError(error, context.prepared.deps.settings).message
      return { rows: 0, columns: [emptyProfile(single, text)] }
    }
    const parts = await Promise.all(columns.map((column) => countColumns([column], context)))
    return { rows: Math.max(...parts.map(({ rows }) => rows)), columns: parts.flatMap((part) => part.columns) }
  }
}

interface Bar {
  from: number
  to: number
  count: number
}

function readBars({ at, low, width, bars, isWhole }: BarLayout, { max }: ColumnProfile, row: Row): Bar[] {
  return Array.from({ length: bars }, (_, bar) => {
    const [from, next] = [low + width * bar, low + width * (bar + 1)]
    const to = isWhole ? Math.min(next - 1, toNumber(max) ?? next) : next
    return { from, to, count: toNumber(row[`b${at}_${bar}`]) ?? 0 }
  })
}

interface BarLayout {
  column: PlannerColumn
  at: number
  low: number
  width: number
  bars: number
  /** For integers, bars begin and end at integers. */
  isWhole: boolean
}

const isWholeType = (type: string | null | undefined): boolean =>
  /^u?(tiny|small|medium|big|huge)?int|serial|long/i.test(type ?? '')

/** Few integers have one bar each; for many, all bars cover the same number of them. */
function computeBarLayout(column: PlannerColumn, index: number, low: number, high: number): BarLayout {
  const isWhole = isWholeType(column.type) && !isTime(column) && Number.isInteger(low) && Number.isInteger(high)
  if (!isWhole) return { column, at: index, low, width: (high - low) / barCount, bars: barCount, isWhole }
  const width = Math.ceil((high - low + 1) / barCount)
  return { column, at: index, low, width, bars: Math.ceil((high - low + 1) / width), isWhole }
}

const buildEdge = ({ column, low, width }: BarLayout, bar: number, dialect: Dialect): Sql => {
  const edge = low + width * bar
  if (!isTime(column)) return sql`${edge}`
  return dialect.instant(new Date(edge).toISOString().slice(0, 23), column.type)
}

/** Counts of rows between two edges; the last bar is open-ended, so that rounding cannot lose the maximum. */
function buildBarMetrics(span: BarLayout, context: ProfileContext): AdhocMetric[] {
  const name = sql.id(span.column.column_name)
  return Array.from({ length: span.bars }, (_, bar) => {
    const from = bar === 0 ? sql`${name} IS NOT NULL` : sql`${name} >= ${buildEdge(span, bar, context.dialect)}`
    const to = bar === span.bars - 1 ? sql`` : sql` AND ${name} < ${buildEdge(span, bar + 1, context.dialect)}`
    return sqlMetric(`b${span.at}_${bar}`, sql`COUNT(CASE WHEN ${from}${to} THEN 1 END)`, context)
  })
}

/**
 * Adds the bars of columns with a range, and exact counts where few rows were estimated, with one statement for all columns. If
 * the database rejects it, the profiles stay unchanged.
 */
async function addDetails(
  columns: readonly PlannerColumn[],
  { rows, columns: found }: ColumnCounts,
  context: ProfileContext,
): Promise<ColumnProfile[]> {
  const spans = found.flatMap((profile, index): BarLayout[] => {
    const column = columns[index] as PlannerColumn
    // Time columns stored in another format and user expressions have no bar edges that can be written here.
    if (column.expression || column.python_date_format || !(isNumber(column) || isTime(column))) return []
    const [low, high] = [toNumber(profile.min), toNumber(profile.max)]
    if (low === null || high === null || !(low < high) || !Number.isFinite(high - low)) return []
    return [computeBarLayout(column, index, low, high)]
  })
  const exact = found.flatMap(({ distinct_is_near }, index) =>
    distinct_is_near && rows <= exactRows
      ? [simpleMetric(`e${index}`, columns[index] as PlannerColumn, 'COUNT_DISTINCT')]
      : [],
  )
  if (spans.length + exact.length === 0) return found
  let row: Row
  try {
    row = await runAggregates(context, [...spans.flatMap((span) => buildBarMetrics(span, context)), ...exact])
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'query_stopped') throw error
    return found
  }
  return found.map((profile, index) => {
    const exactCount = toNumber(row[`e${index}`])
    const distinct = exactCount === null ? {} : { distinct: exactCount, distinct_is_near: false }
    const span = spans.find((each) => each.at === index)
    return { ...profile, ...distinct, ...(span && { bars: readBars(span, profile, row) }) }
  })
}

/**
 * Profiles the rows of a dataset that the caller may read, column by column. Cached like chart results, but longer: embedded data
 * for 30 days unless its file changes, other data for a day. `force` queries again.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export async function profileDataset(
  deps: ChartDeps,
  principal: Principal,
  { id, force }: { id: number; force: boolean },
  signal: AbortSignal,
): Promise<DatasetProfile> {
  const resolved = await resolveQuery({ datasource: { id, type: 'table' }, queries: [], force }, deps, principal)
  const cacheSeconds = resolved.source.kind === 'embedded' ? 30 * secondsPerDay : secondsPerDay
  const cacheTimeout = resolved.cacheTimeout < 0 ? resolved.cacheTimeout : Math.max(resolved.cacheTimeout, cacheSeconds)
  const withCacheTimeout = { ...resolved, cacheTimeout }
  const calculated = withCacheTimeout.dataset.columns.filter(({ expression }) => expression)
  const checkedQuery = {
    columns: [],
    metrics: ['COUNT', ...calculated].map((each, index) => toCheckedMetric(each, index)),
    row_limit: 1,
  }
  const { resolved: prepared } = await prepareQuery(withCacheTimeout, checkedQuery, 'results', signal)
  const context: ProfileContext = {
    prepared,
    dialect: engineFor(prepared.database).dialect,
    signal,
    readAt: [],
    yielder: new EventLoopYielder(),
  }
  const { columns } = prepared.dataset
  const parts = Array.from({ length: Math.max(1, Math.ceil(columns.length / columnsPerStatement)) }, (_, part) =>
    columns.slice(part * columnsPerStatement, (part + 1) * columnsPerStatement),
  )
  const profiles = await Promise.all(
    parts.map(async (part) => {
      const found = await countColumns(part, context)
      return { ...found, columns: await addDetails(part, found, context) }
    }),
  )
  return {
    row_count: Math.max(...profiles.map(({ rows }) => rows)),
    read_at: context.readAt.toSorted()[0] ?? new Date(deps.now()).toISOString().slice(0, 19),
    columns: profiles.flatMap((part) => part.columns),
  }
}

const toCheckedMetric = (column: PlannerColumn | string, index: number): AdhocMetric =>
  typeof column === 'string'
    ? { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows' }
    : simpleMetric(`n${index}`, column, 'COUNT')
