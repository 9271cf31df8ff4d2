import {
  AppError,
  type AdhocMetric,
  type ColumnProfile,
  type DatasetProfile,
  GenericType,
  type PlannerColumn,
  type QueryObject,
} from '@parquetry/model'
import { ansi, inline, sql, type Dialect, type Sql } from '@parquetry/query'
import type { ChartDeps } from '../chart/deps.ts'
import { openQuestion } from '../chart/open-question.ts'
import { prepareQuestion } from '../chart/prepare-question.ts'
import { toldOf } from '../chart/as-answered.ts'
import { planOf, runPlan, type Question } from '../chart/question.ts'
import { Rests } from '../concurrency/rests.ts'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import type { Principal } from '../access/principal.ts'

/** Columns that one statement counts: wider tables take several. */
const atOnce = 50
const barCount = 12
/** So many rows are counted a second time where the first count was an estimate. */
const exactRows = 100_000
const dayOfSeconds = 86_400

/** A question whose columns were judged, and when it was answered. */
interface Asking {
  question: Question
  dialect: Dialect
  signal: AbortSignal
  readAt: string[]
  rests: Rests
}

type Row = Record<string, unknown>

const rowsAs = { as: 'rows', times: 'ms' } as const

/** One row of aggregates. They are made here of names alone, so nobody's SQL is among them. */
async function aggregatesOf({ question, signal, readAt, rests }: Asking, metrics: AdhocMetric[]): Promise<Row> {
  const query: QueryObject = { columns: [], metrics, row_limit: 1 }
  await rests.rest()
  const { plan } = planOf(question, query, planContext(question, rowsAs, 'results'))
  const { body, cachedAt } = await runPlan(question, plan, signal).catch((error: unknown) => {
    throw toldOf(error, question)
  })
  readAt.push(cachedAt)
  return (JSON.parse(body.toString()) as Row[])[0] ?? {}
}

const aggregate = (label: string, value: Sql, { dialect }: Asking): AdhocMetric => ({
  expressionType: 'SQL',
  sqlExpression: inline(value, dialect),
  label,
  hasCustomLabel: true,
})

const simple = (label: string, { column_name, type }: PlannerColumn, called: string): AdhocMetric => ({
  expressionType: 'SIMPLE',
  column: { column_name, type },
  aggregate: called,
  label,
  hasCustomLabel: true,
})

const isTime = ({ is_dttm, type_generic }: PlannerColumn): boolean => is_dttm || type_generic === GenericType.TEMPORAL
const isNumber = ({ type_generic }: PlannerColumn): boolean => type_generic === GenericType.NUMERIC
const isTruth = ({ type_generic }: PlannerColumn): boolean => type_generic === GenericType.BOOLEAN

/** An estimate may be off by some percent, and above the number of rows. */
const isNear = (column: PlannerColumn, { dialect }: Asking): boolean =>
  !column.expression && dialect.level.distinct !== ansi.level.distinct

/** How many, how many different, and from where to where. Calculated columns go by the names of aggregates, which their SQL takes. */
const numbersOf = (column: PlannerColumn, at: number, asking: Asking): AdhocMetric[] => {
  const name = sql.id(column.column_name)
  const distinct = column.expression
    ? simple(`d${at}`, column, 'COUNT_DISTINCT')
    : aggregate(`d${at}`, asking.dialect.level.distinct(name), asking)
  const ends = isTruth(column) ? [] : [simple(`l${at}`, column, 'MIN'), simple(`h${at}`, column, 'MAX')]
  return [simple(`n${at}`, column, 'COUNT'), distinct, ...ends]
}

const numberOr = (value: unknown): number | null =>
  typeof value === 'number' ? value : typeof value === 'string' && value !== '' ? Number(value) : null

const noRange = (column: PlannerColumn, error: string | null): ColumnProfile => ({
  column_name: column.column_name,
  nulls: null,
  distinct: null,
  distinct_is_near: false,
  min: null,
  max: null,
  bars: [],
  error,
})

const distinctOf = (count: number | null, filled: number, isEstimate: boolean) => ({
  distinct: count === null ? null : Math.min(count, filled),
  distinct_is_near: isEstimate && count !== null && count > 1,
})

interface Counted {
  rows: number
  columns: ColumnProfile[]
}

/** The numbers of some columns by one statement; where the database refuses it, column by column, so that one tells of itself alone. */
async function count(columns: readonly PlannerColumn[], asking: Asking): Promise<Counted> {
  const all: AdhocMetric = { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows', hasCustomLabel: true }
  try {
    const row = await aggregatesOf(asking, [all, ...columns.flatMap((column, at) => numbersOf(column, at, asking))])
    const rows = numberOr(row['rows']) ?? 0
    return {
      rows,
      columns: columns.map((column, at) => ({
        column_name: column.column_name,
        nulls: rows - (numberOr(row[`n${at}`]) ?? rows),
        ...distinctOf(numberOr(row[`d${at}`]), numberOr(row[`n${at}`]) ?? rows, isNear(column, asking)),
        min: row[`l${at}`] ?? null,
        max: row[`h${at}`] ?? null,
        bars: [],
        error: null,
      })),
    }
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'query_stopped') throw error
    if (columns.length === 0) throw error
    const [only, ...others] = columns
    if (only && others.length === 0) return { rows: 0, columns: [noRange(only, error.message)] }
    const parts = await Promise.all(columns.map((column) => count([column], asking)))
    return { rows: Math.max(...parts.map(({ rows }) => rows)), columns: parts.flatMap((part) => part.columns) }
  }
}

interface Bar {
  from: number
  to: number
  count: number
}

function barsIn({ at, low, width, bars, isWhole }: Span, { max }: ColumnProfile, row: Row): Bar[] {
  return Array.from({ length: bars }, (_, bar) => {
    const [from, next] = [low + width * bar, low + width * (bar + 1)]
    const to = isWhole ? Math.min(next - 1, numberOr(max) ?? next) : next
    return { from, to, count: numberOr(row[`b${at}_${bar}`]) ?? 0 }
  })
}

interface Span {
  column: PlannerColumn
  at: number
  low: number
  width: number
  bars: number
  /** Numbers without parts: bars begin and end at them. */
  isWhole: boolean
}

const isWholeType = (type: string | null | undefined): boolean =>
  /^u?(tiny|small|medium|big|huge)?int|serial|long/i.test(type ?? '')

/** Of few whole numbers each has its bar; of many, all bars have as many of them. */
function spanOf(column: PlannerColumn, at: number, low: number, high: number): Span {
  const isWhole = isWholeType(column.type) && !isTime(column) && Number.isInteger(low) && Number.isInteger(high)
  if (!isWhole) return { column, at, low, width: (high - low) / barCount, bars: barCount, isWhole }
  const width = Math.ceil((high - low + 1) / barCount)
  return { column, at, low, width, bars: Math.ceil((high - low + 1) / width), isWhole }
}

const edgeOf = ({ column, low, width }: Span, bar: number, dialect: Dialect): Sql => {
  const edge = low + width * bar
  if (!isTime(column)) return sql`${edge}`
  return dialect.instant(new Date(edge).toISOString().slice(0, 23), column.type)
}

/** Rows between two edges; the last bar takes what is left, so that no rounding loses the greatest value. */
function barsOf(span: Span, asking: Asking): AdhocMetric[] {
  const name = sql.id(span.column.column_name)
  return Array.from({ length: span.bars }, (_, bar) => {
    const from = bar === 0 ? sql`${name} IS NOT NULL` : sql`${name} >= ${edgeOf(span, bar, asking.dialect)}`
    const to = bar === span.bars - 1 ? sql`` : sql` AND ${name} < ${edgeOf(span, bar + 1, asking.dialect)}`
    return aggregate(`b${span.at}_${bar}`, sql`COUNT(CASE WHEN ${from}${to} THEN 1 END)`, asking)
  })
}

/**
 * Bars of the columns that have a range, and what was estimated of few rows counted, by one statement for all; a database that
 * refuses it leaves them as they are.
 */
async function inDetail(
  columns: readonly PlannerColumn[],
  { rows, columns: found }: Counted,
  asking: Asking,
): Promise<ColumnProfile[]> {
  const spans = found.flatMap((profile, at): Span[] => {
    const column = columns[at] as PlannerColumn
    // Numbers of seconds in a column of times, and expressions of people, have no edges that can be written here.
    if (column.expression || column.python_date_format || !(isNumber(column) || isTime(column))) return []
    const [low, high] = [numberOr(profile.min), numberOr(profile.max)]
    if (low === null || high === null || !(low < high) || !Number.isFinite(high - low)) return []
    return [spanOf(column, at, low, high)]
  })
  const exact = found.flatMap(({ distinct_is_near }, at) =>
    distinct_is_near && rows <= exactRows ? [simple(`e${at}`, columns[at] as PlannerColumn, 'COUNT_DISTINCT')] : [],
  )
  if (spans.length + exact.length === 0) return found
  let row: Row
  try {
    row = await aggregatesOf(asking, [...spans.flatMap((span) => barsOf(span, asking)), ...exact])
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'query_stopped') throw error
    return found
  }
  return found.map((profile, at) => {
    const counted = numberOr(row[`e${at}`])
    const distinct = counted === null ? {} : { distinct: counted, distinct_is_near: false }
    const span = spans.find((each) => each.at === at)
    return { ...profile, ...distinct, ...(span && { bars: barsIn(span, profile, row) }) }
  })
}

/**
 * What the rows of a dataset are like, column by column, of those rows that the caller may read. Kept as answers of charts are: of
 * embedded data until the file changes, of others for a day, unless `force` asks again.
 * @throws AppError `dataset_not_found`, `dataset_access`
 */
export async function profileOf(
  deps: ChartDeps,
  principal: Principal,
  { id, force }: { id: number; force: boolean },
  signal: AbortSignal,
): Promise<DatasetProfile> {
  const opened = await openQuestion({ datasource: { id, type: 'table' }, queries: [], force }, deps, principal)
  const keptSeconds = opened.source.kind === 'embedded' ? 30 * dayOfSeconds : dayOfSeconds
  const cacheTimeout = opened.cacheTimeout < 0 ? opened.cacheTimeout : Math.max(opened.cacheTimeout, keptSeconds)
  const given = { ...opened, cacheTimeout }
  const calculated = given.dataset.columns.filter(({ expression }) => expression)
  const judged = {
    columns: [],
    metrics: ['COUNT', ...calculated].map((each, at) => judgedMetric(each, at)),
    row_limit: 1,
  }
  const { question } = await prepareQuestion(given, judged, signal)
  const asking: Asking = {
    question,
    dialect: engineFor(question.database).dialect,
    signal,
    readAt: [],
    rests: new Rests(),
  }
  const { columns } = question.dataset
  const parts = Array.from({ length: Math.max(1, Math.ceil(columns.length / atOnce)) }, (_, part) =>
    columns.slice(part * atOnce, (part + 1) * atOnce),
  )
  const counted = await Promise.all(
    parts.map(async (part) => {
      const found = await count(part, asking)
      return { ...found, columns: await inDetail(part, found, asking) }
    }),
  )
  return {
    row_count: Math.max(...counted.map(({ rows }) => rows)),
    read_at: asking.readAt.toSorted()[0] ?? new Date(deps.now()).toISOString().slice(0, 19),
    columns: counted.flatMap((part) => part.columns),
  }
}

const judgedMetric = (column: PlannerColumn | string, at: number): AdhocMetric =>
  typeof column === 'string'
    ? { expressionType: 'SQL', sqlExpression: 'COUNT(*)', label: 'rows' }
    : simple(`n${at}`, column, 'COUNT')
