import {
  AppError,
  type AdhocMetric,
  type ColumnProfile,
  type DatasetProfile,
  GenericType,
  type PlannerColumn,
  type QueryObject,
} from '@parquetry/model'
import { inline, sql, type Dialect, type Sql } from '@parquetry/query'
import type { ChartDeps } from '../chart/deps.ts'
import { openQuestion } from '../chart/open-question.ts'
import { prepareQuestion } from '../chart/prepare-question.ts'
import { planOf, runPlan, type Question } from '../chart/question.ts'
import { Rests } from '../concurrency/rests.ts'
import { engineFor } from '../connection/source.ts'
import { planContext } from '../dataset/plan-context.ts'
import type { Principal } from '../access/principal.ts'

/** Columns that one statement counts: wider tables take several. */
const atOnce = 50
const barCount = 12
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
  const { body, cachedAt } = await runPlan(question, plan, signal)
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
  min: null,
  max: null,
  bars: [],
  error,
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
        distinct: numberOr(row[`d${at}`]),
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

interface Span {
  column: PlannerColumn
  at: number
  low: number
  width: number
}

const edgeOf = ({ column, low, width }: Span, bar: number, dialect: Dialect): Sql => {
  const edge = low + width * bar
  if (!isTime(column)) return sql`${edge}`
  return dialect.instant(new Date(edge).toISOString().slice(0, 23), column.type)
}

/** Rows between two edges; the last bar takes what is left, so that no rounding loses the greatest value. */
function barsOf(span: Span, asking: Asking): AdhocMetric[] {
  const name = sql.id(span.column.column_name)
  return Array.from({ length: barCount }, (_, bar) => {
    const from = bar === 0 ? sql`${name} IS NOT NULL` : sql`${name} >= ${edgeOf(span, bar, asking.dialect)}`
    const to = bar === barCount - 1 ? sql`` : sql` AND ${name} < ${edgeOf(span, bar + 1, asking.dialect)}`
    return aggregate(`b${span.at}_${bar}`, sql`COUNT(CASE WHEN ${from}${to} THEN 1 END)`, asking)
  })
}

/** Bars of the columns that have a range, by one statement for all; a database that refuses it leaves them without. */
async function withBars(
  columns: readonly PlannerColumn[],
  found: readonly ColumnProfile[],
  asking: Asking,
): Promise<ColumnProfile[]> {
  const spans = found.flatMap((profile, at): Span[] => {
    const column = columns[at] as PlannerColumn
    // Numbers of seconds in a column of times, and expressions of people, have no edges that can be written here.
    if (column.expression || column.python_date_format || !(isNumber(column) || isTime(column))) return []
    const [low, high] = [numberOr(profile.min), numberOr(profile.max)]
    if (low === null || high === null || !(low < high) || !Number.isFinite(high - low)) return []
    return [{ column, at, low, width: (high - low) / barCount }]
  })
  if (spans.length === 0) return [...found]
  let row: Row
  try {
    row = await aggregatesOf(
      asking,
      spans.flatMap((span) => barsOf(span, asking)),
    )
  } catch (error) {
    if (!(error instanceof AppError) || error.status >= 500 || error.code === 'query_stopped') throw error
    return [...found]
  }
  return found.map((profile, at) => {
    const span = spans.find((each) => each.at === at)
    if (!span) return profile
    const { low, width } = span
    const bars = Array.from({ length: barCount }, (_, bar) => ({
      from: low + width * bar,
      to: low + width * (bar + 1),
      count: numberOr(row[`b${at}_${bar}`]) ?? 0,
    }))
    return { ...profile, bars }
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
      return { ...found, columns: await withBars(part, found.columns, asking) }
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
