import { labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, Control, DatasetFacts } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { withTemporalColumns } from '../temporal-columns.ts'
import { timeColumn } from './suggest-form.ts'

interface Own {
  /** viz_type -> the settings that the types chosen since do not know. */
  kept?: Record<string, ChartForm>
}

/**
 * The form after another chart type was chosen (CTRL-006 to CTRL-008): metrics, dimensions, filters and time go along under the
 * names of the new type; what it does not know is kept under `parquetry.kept` and comes back with its type.
 * @param from undefined for a type that nobody here draws
 */
export function carryOver(
  form: ChartForm,
  from: AnyChart | undefined,
  to: AnyChart,
  dataset?: DatasetFacts,
): ChartForm {
  if (form.viz_type === to.viz_type) return form
  const own = (form.parquetry ?? {}) as Own
  const left = Object.entries(form).filter(([name]) => has(from, name) && !has(to, name))
  const stays = Object.fromEntries(Object.entries(form).filter(([name]) => !has(from, name) || has(to, name)))
  const { [to.viz_type]: back = {}, ...others } = own.kept ?? {}
  const kept = left.length > 0 ? { ...others, [String(form.viz_type)]: Object.fromEntries(left) } : others
  const { kept: _, ...rest } = own
  const next: ChartForm = {
    ...stays,
    ...back,
    viz_type: to.viz_type,
    ...metricsFor(form, back, to),
    ...dimensionsFor(form, back, to, dataset),
    parquetry: { ...rest, ...(Object.keys(kept).length > 0 && { kept }) },
  }
  if (Object.keys(next.parquetry as object).length === 0) delete next.parquetry
  return withTemporalColumns(to, next, dataset)
}

const has = (chart: AnyChart | undefined, name: string): boolean => chart !== undefined && name in chart.form.properties

const list = <T>(value: unknown): T[] =>
  (Array.isArray(value) ? value : value == null || value === '' ? [] : [value]) as T[]

function metricsFor(form: ChartForm, back: ChartForm, to: AnyChart): ChartForm {
  const single = list<QueryMetric>(form.metric)
  const current = single.length > 0 ? single : list<QueryMetric>(form.metrics)
  const [first] = current
  if (first === undefined) return {}
  const before = list<QueryMetric>(back.metrics)
  const isSame = single.length > 0 && before[0] !== undefined && labelOfMetric(before[0]) === labelOfMetric(first)
  return {
    ...(has(to, 'metric') && { metric: first }),
    ...(has(to, 'metrics') && { metrics: isSame ? before : current }),
  }
}

const controlOf = (chart: AnyChart, name: string): string | undefined =>
  (chart.form.properties[name] as { control?: Control } | undefined)?.control?.as

/** An x axis becomes the first dimension of a chart without one, and the other way round. */
function dimensionsFor(form: ChartForm, back: ChartForm, to: AnyChart, dataset: DatasetFacts | undefined): ChartForm {
  const x = list<QueryColumn>(form.x_axis)
  const dims = [...x, ...list<QueryColumn>(form.groupby)]
  const isTime = (column: QueryColumn) =>
    dataset?.columns.some(({ column_name, is_dttm }) => is_dttm === true && column_name === nameOfColumn(column)) ??
    false
  if (has(to, 'x_axis')) {
    const mustBeTime = controlOf(to, 'x_axis') === 'temporal-column' && dataset !== undefined
    const fits = (column: QueryColumn | undefined) => column !== undefined && (!mustBeTime || isTime(column))
    const axis = [x[0], back.x_axis as QueryColumn, dims.find(isTime), axisFor(dims, to, dataset)].find(fits)
    const groupby = dims.filter((column) => nameOfColumn(column) !== nameOfColumn(axis))
    return { x_axis: axis, ...(has(to, 'groupby') && { groupby }) }
  }
  if (!has(to, 'groupby')) return {}
  const isTable = has(to, 'query_mode')
  return { groupby: isTable ? dims : dims.filter((column) => !isTime(column)) }
}

/** Bars take a category, lines want time. */
function axisFor(dims: QueryColumn[], to: AnyChart, dataset: DatasetFacts | undefined): QueryColumn | undefined {
  const time = dataset && timeColumn(dataset)
  return to.viz_type === 'echarts_timeseries_bar' ? (dims[0] ?? time) : (time ?? dims[0])
}
