import { GenericType, type PlannerColumn, type PlannerDataset, type RunHeader } from '@parquetry/model'
import { resolveColumnKind } from './plan/column-kind.ts'
import type { Dialect } from './sql/dialect.ts'
import { inlineValues } from './sql/render.ts'
import { userSql } from './sql/sql.ts'

/** Labels of the grains in the order in which they are offered. */
const grainLabels: [duration: string, label: string][] = [
  ['PT1S', 'Second'],
  ['PT5S', '5 seconds'],
  ['PT30S', '30 seconds'],
  ['PT1M', 'Minute'],
  ['PT5M', '5 minutes'],
  ['PT10M', '10 minutes'],
  ['PT15M', '15 minutes'],
  ['PT30M', '30 minutes'],
  ['PT1H', 'Hour'],
  ['PT6H', '6 hours'],
  ['P1D', 'Day'],
  ['P1W', 'Week'],
  ['P1M', 'Month'],
  ['P3M', 'Quarter'],
  ['P1Y', 'Year'],
  ['1969-12-28T00:00:00Z/P1W', 'Week starting Sunday'],
  ['1969-12-29T00:00:00Z/P1W', 'Week starting Monday'],
  ['P1W/1970-01-03T00:00:00Z', 'Week ending Saturday'],
  ['P1W/1970-01-04T00:00:00Z', 'Week ending Sunday'],
]

/** Response of result type `timegrains`: the grains of an engine, with `{col}` for the column. */
export const listTimeGrains = (dialect: Dialect): { name: string; function: string; duration: string }[] =>
  grainLabels.flatMap(([duration, name]) => {
    const start = dialect.timeGrain[duration]
    return start ? [{ name, function: inlineValues(start(userSql('{col}')), dialect), duration }] : []
  })

/** Response of result type `columns`. */
export const describeColumns = (
  dataset: PlannerDataset,
): { column_name: string; verbose_name: string | null; dtype: GenericType }[] =>
  dataset.columns.map((column) => ({
    column_name: column.column_name,
    verbose_name: column.verbose_name,
    dtype: toDtype(column),
  }))

/** Booleans count as text here, unlike in `computeColtypes`. */
function toDtype(column: PlannerColumn): GenericType {
  if (column.is_dttm) return GenericType.TEMPORAL
  const kind = column.type_generic ?? resolveColumnKind(column)
  return kind === GenericType.TEMPORAL || kind === GenericType.NUMERIC ? kind : GenericType.STRING
}

/** `computeColtypes` of a response: a column that the dataset marks as temporal is temporal, whatever its values are. */
export function computeColtypes(columns: RunHeader['columns'], dataset: PlannerDataset): GenericType[] {
  const temporal = new Set(dataset.columns.filter(({ is_dttm }) => is_dttm).map(({ column_name }) => column_name))
  return columns.map(({ name, generic }) => (temporal.has(name) ? 2 : generic))
}
