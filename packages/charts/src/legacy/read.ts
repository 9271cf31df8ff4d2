import { cellAt, type Cell, type Column, type Frame, genericOf, numberAt } from '@parquetry/frame'
import { AppError } from '@parquetry/model/errors'
import { message, type Message } from '@parquetry/model/message'
import { labelOfColumn, labelOfMetric } from '@parquetry/model/labels'
import type { QueryColumn, QueryMetric, QueryObject } from '@parquetry/model'
import type { ChartForm } from '../define.ts'

/** Reserved name of the time column in these queries. */
export const timestampColumn = '__timestamp'

/** Returns a setting as a list: one value becomes a list of it, an unset one an empty list. */
export const toList = (value: unknown): unknown[] =>
  [value].flat().filter((item) => item !== null && item !== undefined && item !== '')

/** Columns of these settings, unique by label. */
export const listColumns = (form: ChartForm, ...names: string[]): QueryColumn[] =>
  unique(names.flatMap((name) => toList(form[name])) as QueryColumn[], labelOfColumn)

export const listMetrics = (form: ChartForm, ...names: string[]): QueryMetric[] =>
  unique(names.flatMap((name) => toList(form[name])) as QueryMetric[], labelOfMetric)

function unique<T>(items: readonly T[], labelOf: (item: T) => string): T[] {
  const byLabel = new Map<string, T>()
  for (const item of items) if (!byLabel.has(labelOf(item))) byLabel.set(labelOf(item), item)
  return [...byLabel.values()]
}

export const labelsOf = (columns: readonly QueryColumn[]): string[] => columns.map(labelOfColumn)
export const metricLabels = (metrics: readonly QueryMetric[]): string[] => metrics.map(labelOfMetric)

export const badRequest = (sentence: string | Message): AppError => new AppError('bad_request', { message: sentence })

/** @throws AppError `bad_request` with the message if the list is empty */
export function requireItems<T>(items: readonly T[], sentence: Message): readonly T[] {
  if (items.length === 0) throw badRequest(sentence)
  return items
}

/** Maximum nesting of parts: writing and reading a response recurses as deeply. */
const maxDepth = 100

/** Dimensions from the outermost to the innermost level. @throws AppError `bad_request` without any and for too many */
export function readLevels(form: ChartForm): QueryColumn[] {
  const columns = requireItems(
    listColumns(form, 'groupby'),
    message('errors.legacy.dimensionNeeded', 'Choose at least one dimension'),
  )
  if (columns.length > maxDepth)
    throw badRequest(
      message('errors.legacy.tooManyDimensions', 'Choose at most {max, number} dimensions', { max: maxDepth }),
    )
  return [...columns]
}

/** Looks up an own property by a name from a setting; inherited ones, such as `constructor`, are ignored. */
export const getOwn = <T>(table: Readonly<Record<string, T>>, name: unknown): T | undefined =>
  Object.hasOwn(table, String(name)) ? table[String(name)] : undefined

/** Parses a setting that may be text as a non-negative integer. */
export const toCount = (value: unknown): number => Math.max(0, Math.trunc(Number(value)) || 0)

/**
 * Order of a query: by the ranking metric, else by the first one.
 * @param isAscending  default without `order_desc` in the form
 */
export function buildLegacyOrder(
  form: ChartForm,
  metrics: readonly QueryMetric[],
  isAscending: boolean,
): QueryObject['orderby'] {
  const [by] = [...listMetrics(form, 'timeseries_limit_metric'), ...metrics]
  const order = typeof form.order_desc === 'boolean' ? !form.order_desc : isAscending
  return by === undefined ? [] : [[by, order]]
}

/** @throws AppError `unknown_column` */
export function requireColumn(frame: Frame, name: string): Column {
  const found = frame.columns.find((column) => column.name === name)
  if (!found)
    throw new AppError('unknown_column', {
      message: message('errors.legacy.noColumn', 'The result has no column `{name}`.', { name }),
    })
  return found
}

/** Returns a value as in responses: numbers that arrived as text are rounded to a double. */
function valueAt(column: Column, row: number): Cell {
  const cell = cellAt(column, row)
  return typeof cell === 'string' && genericOf(column) === 0 ? numberAt(column, row) : cell
}

export const readValues = (frame: Frame, name: string): Cell[] => {
  const column = requireColumn(frame, name)
  return Array.from({ length: frame.rows }, (_, row) => valueAt(column, row))
}

export const toRecords = ({ rows, columns }: Frame): Record<string, Cell>[] =>
  Array.from({ length: rows }, (_, row) =>
    Object.fromEntries(columns.map((column) => [column.name, valueAt(column, row)])),
  )

export const readNumbers = (frame: Frame, name: string): (number | null)[] => {
  const column = requireColumn(frame, name)
  return Array.from({ length: frame.rows }, (_, row) => numberAt(column, row))
}

/** Mean of the non-null values; null without any. */
export function mean(values: readonly (number | null)[]): number | null {
  const numbers = values.filter((value) => value !== null)
  return numbers.length === 0 ? null : sum(numbers) / numbers.length
}

export const sum = (values: readonly (number | null)[]): number =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)

/** Groups items by key, in order of first appearance. */
export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const key = keyOf(item)
    const group = groups.get(key)
    if (group) group.push(item)
    else groups.set(key, [item])
  }
  return groups
}
