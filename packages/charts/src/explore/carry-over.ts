import { labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import type { AnyChart, ChartForm, Control, DatasetFacts } from '../define.ts'
import { nameOfColumn } from '../shared/controls.ts'
import { withTemporalColumns } from '../temporal-columns.ts'
import type { TimeSpan } from '../shared/grain.ts'
import { pickTimeGrain, timeColumn } from './suggest-form.ts'

interface StoredSettings {
  /** Settings that later chart types don't have, by the viz_type they came from. */
  kept?: Record<string, ChartForm>
}

/**
 * Returns the form after another chart type was selected (CTRL-006 to CTRL-008). Metrics, dimensions, filters and time are
 * carried over under the names of the new type; settings it does not know are stored under `parquetry.kept` and restored with the
 * next type that knows them. A setting is either in the form or stored, so that the value selected last is restored.
 * @param from undefined for an unknown chart type
 * @param span of the dataset's time, if it was queried; determines the grain of a new time series
 */
export function carryOver(
  form: ChartForm,
  from: AnyChart | undefined,
  to: AnyChart,
  dataset?: DatasetFacts,
  span: TimeSpan | null = null,
): ChartForm {
  if (form.viz_type === to.viz_type) return form
  const [oldName, newName] = [findDimensionControl(from), findDimensionControl(to)]
  const next = carrySettings(renameSetting(form, oldName, 'groupby'), from && asGroupby(from), asGroupby(to), dataset)
  const whole = { ...next, ...timeAxisSettings(next, form, to, dataset, span) }
  return withTemporalColumns(to, renameSetting(whole, 'groupby', newName), dataset)
}

/** Returns whether the chart has an x-axis for which the form has neither a column, not even a stored one, nor a time grain. */
export function needsTimeGrain(form: ChartForm, to: AnyChart): boolean {
  const { kept = {} } = (form.parquetry ?? {}) as StoredSettings
  const had = [form, ...Object.values(kept)].some(({ x_axis }) => x_axis != null)
  return has(to, 'x_axis') && !had && form.time_grain_sqla == null
}

/** Settings of a new time axis: the row limit of a list would truncate it, and without a grain each instant is a mark. */
function timeAxisSettings(
  next: ChartForm,
  form: ChartForm,
  to: AnyChart,
  dataset: DatasetFacts | undefined,
  span: TimeSpan | null,
): ChartForm {
  const axis = nameOfColumn(next.x_axis as QueryColumn)
  const isTime = dataset?.columns.some(({ column_name, is_dttm }) => is_dttm === true && column_name === axis)
  if (!dataset || !isTime || !needsTimeGrain(form, to)) return {}
  return { time_grain_sqla: pickTimeGrain(dataset, axis === timeColumn(dataset) ? span : null), row_limit: 10_000 }
}

/**
 * Name of a chart's dimension setting. Some charts name it columns or rows, or accept a single one; during the conversion it is
 * `groupby` for all.
 */
export function findDimensionControl(chart: AnyChart | undefined): string {
  const named = (names: string[], as: Control['as']) => chart && names.find((name) => controlKindOf(chart, name) === as)
  return (
    named(['groupby', 'columns', 'groupbyRows'], 'columns') ??
    named(['groupby', 'entity', 'series'], 'column') ??
    'groupby'
  )
}

const takesOneDimension = (chart: AnyChart | undefined): boolean =>
  chart !== undefined && controlKindOf(chart, findDimensionControl(chart)) === 'column'

function renameSetting(form: ChartForm, old: string, name: string): ChartForm {
  if (old === name || !(old in form)) return form
  const { [old]: dimensions, ...rest } = form
  return { ...rest, [name]: dimensions }
}

const asGroupby = (chart: AnyChart): AnyChart => ({
  ...chart,
  form: {
    ...chart.form,
    properties: renameSetting(chart.form.properties as ChartForm, findDimensionControl(chart), 'groupby'),
  },
})

function carrySettings(form: ChartForm, from: AnyChart | undefined, to: AnyChart, dataset?: DatasetFacts): ChartForm {
  const { kept: before = {}, ...rest } = (form.parquetry ?? {}) as StoredSettings
  const { [to.viz_type]: mine = {}, ...others } = before
  const isKnown = (name: string) => has(to, name)
  const pool: ChartForm = { ...Object.assign({}, ...Object.values(others)), ...mine }
  const restored = pick(pool, isKnown)
  const { settings, replaced } = convertDimensions(form, pool, from, to, dataset)
  const toStore = { ...pick(form, (name) => has(from, name) && !isKnown(name)), ...(from && replaced) }
  const kept = Object.entries(others)
    .map(([type, each]) => [type, pick(each, (name) => !isKnown(name) && !(name in toStore))] as const)
    .concat([[String(form.viz_type), toStore]])
    .filter(([, each]) => Object.keys(each).length > 0)
  const parquetry = { ...rest, ...(kept.length > 0 && { kept: Object.fromEntries(kept) }) }
  const { parquetry: _, ...carried } = pick(form, (name) => !has(from, name) || isKnown(name))
  return {
    ...to.initialSettings,
    ...restored,
    ...carried,
    viz_type: to.viz_type,
    ...metricsFor(form, restored, to),
    ...settings,
    ...(Object.keys(parquetry).length > 0 && { parquetry }),
  }
}

const pick = (form: ChartForm, isWanted: (name: string) => boolean): ChartForm =>
  Object.fromEntries(Object.entries(form).filter(([name]) => isWanted(name)))

const has = (chart: AnyChart | undefined, name: string): boolean => chart !== undefined && name in chart.form.properties

const list = <T>(value: unknown): T[] =>
  (Array.isArray(value) ? value : value == null || value === '' ? [] : [value]) as T[]

function metricsFor(form: ChartForm, restored: ChartForm, to: AnyChart): ChartForm {
  const single = list<QueryMetric>(form.metric)
  const current = single.length > 0 ? single : list<QueryMetric>(form.metrics)
  const [first] = current
  if (first === undefined) return {}
  const before = list<QueryMetric>(restored.metrics)
  const isSame = single.length > 0 && before[0] !== undefined && labelOfMetric(before[0]) === labelOfMetric(first)
  return {
    ...(has(to, 'metric') && { metric: first }),
    ...(has(to, 'metrics') && { metrics: isSame ? before : current }),
  }
}

/** Kind of a chart's control for a setting. */
export const controlKindOf = (chart: AnyChart, name: string): string | undefined =>
  (chart.form.properties[name] as { control?: Control } | undefined)?.control?.as

/**
 * Converts an x-axis to the first dimension of a chart without one, and vice versa.
 * @param pool  the stored settings
 * @returns `replaced` are the form's settings that the new type cannot use unchanged
 */
function convertDimensions(
  form: ChartForm,
  pool: ChartForm,
  from: AnyChart | undefined,
  to: AnyChart,
  dataset: DatasetFacts | undefined,
): { settings: ChartForm; replaced: ChartForm } {
  const isTime = (column: QueryColumn) =>
    dataset?.columns.some(({ column_name, is_dttm }) => is_dttm === true && column_name === nameOfColumn(column)) ??
    false
  // A stored axis takes precedence over the form's.
  const x = list<QueryColumn>(pool.x_axis ?? form.x_axis)
  const by = pickDimensions(form.groupby, pool.groupby, isTime, takesOneDimension(from))
  const dims = form.x_axis == null ? by : [...x, ...by]
  const without = (axis: QueryColumn | undefined) => dims.filter((each) => nameOfColumn(each) !== nameOfColumn(axis))
  const settings: ChartForm = {}
  if (has(to, 'x_axis')) {
    const mustBeTime = controlKindOf(to, 'x_axis') === 'temporal-column' && dataset !== undefined
    const fits = (column: QueryColumn | undefined) => column !== undefined && (!mustBeTime || isTime(column))
    const axis = [x[0], form.x_axis as QueryColumn, dims.find(isTime), pickAxis(dims, to, dataset)].find(fits)
    settings.x_axis = axis
    if (has(to, 'groupby')) settings.groupby = without(axis)
  } else if (has(to, 'groupby')) {
    // Tables include times among their dimensions.
    const takesTimes = has(to, 'temporal_columns_lookup')
    settings.groupby = takesTimes ? dims : dims.filter((column) => !isTime(column))
  }
  if (takesOneDimension(to)) settings.groupby = list<QueryColumn>(settings.groupby)[0]
  const axes = list<QueryColumn>(settings.x_axis)
  const isAnyMissing = (columns: QueryColumn[], among: QueryColumn[]) => {
    const names = among.map(nameOfColumn)
    return columns.some((column) => !names.includes(nameOfColumn(column)))
  }
  return {
    settings,
    replaced: {
      ...(isAnyMissing(x, axes) && { x_axis: x[0] }),
      ...(isAnyMissing(by, [...axes, ...list<QueryColumn>(settings.groupby)]) && { groupby: by }),
    },
  }
}

/** Returns the stored dimensions if the form's equal them apart from those its chart type rejects; otherwise the form's. */
function pickDimensions(
  now: unknown,
  before: unknown,
  isTime: (column: QueryColumn) => boolean,
  isOne: boolean,
): QueryColumn[] {
  const [current, earlier] = [list<QueryColumn>(now), list<QueryColumn>(before)]
  if (now === undefined) return earlier
  const names = (columns: QueryColumn[]) => JSON.stringify(columns.map(nameOfColumn))
  const taken = earlier.filter((column) => !isTime(column))
  return names(current) === names(isOne ? taken.slice(0, 1) : taken) ? earlier : current
}

/** Bar charts prefer the first dimension, all other charts the time column of the dataset. */
function pickAxis(dims: QueryColumn[], to: AnyChart, dataset: DatasetFacts | undefined): QueryColumn | undefined {
  const time = dataset && timeColumn(dataset)
  return to.viz_type === 'echarts_timeseries_bar' ? (dims[0] ?? time) : (time ?? dims[0])
}
