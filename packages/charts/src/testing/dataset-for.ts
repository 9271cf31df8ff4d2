import { cellAt, type Cell, type Frame } from '@parquetry/frame'
import { labelOfColumn, type QueryColumn, type QueryMetric, type QueryObject } from '@parquetry/model'
import type { AnyChart, ChartForm } from '../define.ts'
import { namedQueries } from '../query/build-query-context.ts'

export interface GeneratedDataset {
  /** Rows with every column that the form queries, for a virtual dataset of the embedded engine. */
  sql: string
  /** The saved metrics that it uses, except `count`, which every dataset has. */
  metrics: { metric_name: string; expression: string }[]
}

/**
 * Builds a dataset for a stored form, so that the form can be queried unchanged.
 * @param frames of its fixture: a column of the same name gets these values in their rows. Other columns get generated values.
 */
export function datasetFor(chart: AnyChart, form: ChartForm, frames: Record<string, Frame> = {}): GeneratedDataset {
  const queries = Object.values(namedQueries(chart, form))
  const used = columnsIn(queries)
  const answers = Object.values(frames)
  const rows =
    answers.length > 0 ? Math.min(Math.max(...answers.map((frame) => frame.rows)), maxRows) : daysWithoutFrame
  const known = new Map(
    answers.flatMap((frame) => frame.columns.map((column) => [column.name, { frame, column }] as const)),
  )
  const columns = [...used].map(([name, { kind, letThrough, compared }], index) => {
    const found = kind === 'measure' ? undefined : known.get(name)
    const cell = (row: number): Cell => {
      if (letThrough !== null && row % 2 === 0) return letThrough
      if (compared.length > 0) return compared[Math.floor(row / rows) % compared.length] as Cell
      return found ? cellAt(found.column, row % found.frame.rows) : generateCell(kind, index, row, rows)
    }
    return { name, isTime: found ? found.column.kind === 'time' : kind === 'time', cell }
  })
  const lines = Array.from(
    { length: rows * rowRepeats },
    (_, row) => `(${columns.map(({ cell, isTime }) => literal(cell(row), isTime)).join(', ')})`,
  )
  const saved = new Set(queries.flatMap(({ metrics }) => metrics ?? []).filter((each) => typeof each === 'string'))
  saved.delete('count')
  return {
    sql: `SELECT * FROM (VALUES ${lines.join(', ')}) AS made (${columns.map(({ name }) => quoteName(name)).join(', ')})`,
    metrics: [...saved].map((metric_name) => ({ metric_name, expression: `COUNT(*) + LENGTH('${metric_name}')` })),
  }
}

const daysWithoutFrame = 24
const maxRows = 60
/** Repetitions of each row, with other values for columns that are not in the frames. */
const rowRepeats = 4

const kinds = ['dimension', 'measure', 'time'] as const
type Kind = (typeof kinds)[number]

interface RequestedColumn {
  kind: Kind
  /** A value that passes its filters; every other row has it. */
  letThrough: Cell
  /** Values with which its metrics compare it: each row is repeated with each of them. */
  compared: readonly Cell[]
}

/** Returns the table columns used in a query. */
function columnsIn(queries: readonly QueryObject[]): Map<string, RequestedColumn> {
  const columns = new Map<string, RequestedColumn>()
  const ask = (name: string, kind: Kind, letThrough: Cell = null, compared: readonly Cell[] = []) => {
    const known = columns.get(name)
    const isMore = !known || kinds.indexOf(kind) > kinds.indexOf(known.kind)
    columns.set(name, {
      kind: isMore ? kind : known.kind,
      letThrough: letThrough ?? known?.letThrough ?? null,
      compared: [...new Set([...(known?.compared ?? []), ...compared])],
    })
  }
  for (const { metrics, orderby, columns: groups, filters, post_processing, granularity } of queries) {
    const ordered = ((orderby ?? []) as [QueryMetric, boolean][]).map(([by]) => by)
    for (const metric of [...(metrics ?? []), ...ordered]) {
      for (const name of inMetric(metric)) ask(name, 'measure')
      for (const [name, value] of comparedIn(metric)) ask(name, 'dimension', null, [value])
    }
    for (const group of groups ?? [])
      for (const name of inColumn(group)) ask(name, isTime(group, name) ? 'time' : 'dimension')
    for (const { col, op, val } of filters ?? [])
      for (const name of inColumn(col as QueryColumn))
        if (op === 'TEMPORAL_RANGE') ask(name, 'time')
        else ask(name, 'dimension', op === '==' || op === 'IN' ? ([val].flat()[0] as Cell) : null)
    // Steps count or bin numbers.
    for (const step of post_processing ?? [])
      if (typeof step?.options?.['column'] === 'string') ask(step.options['column'], 'measure')
    if (granularity) ask(granularity, 'time')
  }
  // A table has at least one column.
  if (columns.size === 0) ask('name', 'dimension')
  return columns
}

const isTime = (column: QueryColumn, name: string): boolean =>
  (typeof column === 'object' && 'timeGrain' in column && column.timeGrain !== undefined) ||
  /^(date|day|night|month|year|time)$/i.test(name)

const inColumn = (column: QueryColumn): string[] =>
  typeof column === 'string'
    ? [column]
    : column.isColumnReference
      ? [labelOfColumn(column)]
      : inSql(column.sqlExpression ?? '')

function inMetric(metric: QueryMetric): string[] {
  if (typeof metric === 'string') return []
  if (metric.expressionType === 'SQL') return inSql(metric.sqlExpression ?? '')
  return metric.column?.column_name ? [metric.column.column_name] : []
}

/**
 * Returns the comparisons in an expression such as `MAX(n) FILTER (WHERE year = 1955)`, which has no value without matching rows.
 */
const comparedIn = (metric: QueryMetric): [string, Cell][] =>
  typeof metric === 'string' || metric.expressionType !== 'SQL'
    ? []
    : [
        ...(metric.sqlExpression ?? '').matchAll(/(?:"([^"]+)"|\b([a-z_]\w*))\s*=\s*(?:'([^']*)'|(-?\d+(?:\.\d+)?))/gi),
      ].map(([, quotedName, name, text, number]) => [quotedName ?? name ?? '', text ?? Number(number)])

const sqlKeywords =
  /^(distinct|case|when|then|else|end|and|or|not|is|null|in|as|filter|where|between|interval|cast|over)$/i

/** Returns column names in an expression, without functions, SQL keywords and strings. */
const inSql = (sql: string): string[] =>
  [...sql.replaceAll(/'[^']*'/g, '').matchAll(/"([^"]+)"|\b([a-z_]\w*)\b(?!\s*\()/gi)]
    .map(([, quotedName, name]) => quotedName ?? name ?? '')
    .filter((name) => !sqlKeywords.test(name))

const firstDay = Date.UTC(2020, 0, 1)
const monthMs = 30 * 86_400_000

function generateCell(kind: Kind, column: number, row: number, rows: number): Cell {
  if (kind === 'time') return firstDay + (row % rows) * monthMs
  if (kind === 'measure') return 10 + ((row * 7 + column * 3) % 23)
  return `${['North', 'South', 'East', 'West'][(Math.floor(row / rows) + row * column) % 4]}`
}

const quoteName = (name: string): string => `"${name.replaceAll('"', '""')}"`

function literal(cell: Cell, isTime: boolean): string {
  if (cell === null) return 'NULL'
  if (isTime) return `TIMESTAMP '${new Date(Number(cell)).toISOString().slice(0, 19).replace('T', ' ')}'`
  return typeof cell === 'string' ? `'${cell.replaceAll("'", "''")}'` : String(cell)
}
