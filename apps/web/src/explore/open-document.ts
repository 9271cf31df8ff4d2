import {
  needsTimeGrain,
  carryOver,
  buildFieldGroups,
  loadChart,
  loadStoredForm,
  readForm,
  suggestForm,
  timeFilter,
  unknownChart,
  fillRequiredSettings,
  type AnyChart,
  type ChartForm,
  type TimeSpan,
} from '@parquetry/charts'
import { inheritedSettings, type InheritedSettings } from '@parquetry/model'
import { extractChartSettings } from './draft.ts'
import type { ExploreDocument } from './use-explore.ts'

export interface OpenedChart {
  chart: AnyChart
  form: ChartForm
  /** The saved form, converted the same way; equal to `form` if nothing is saved. */
  saved: ChartForm
}

/** Configured defaults for new charts. */
export interface ExploreDefaults {
  /** Chart type of a suggestion (EXP-073); null to guess it. */
  viz_type: string | null
  /** Time range of a suggestion (EXP-075). */
  time_range: string
  /** Time columns are ordinary dimensions: `GENERIC_CHART_AXES` (PERM-034). */
  timeIsDimension: boolean
}

/** EXP-074, EXP-076: defaults without configuration. */
export const builtInDefaults: ExploreDefaults = { viz_type: null, time_range: 'No filter', timeIsDimension: true }

/**
 * Returns the initial chart type and form: the stored ones, or a best guess for a dataset without a chart (EXP-072 to EXP-074).
 * @param viz_type  chart type in the address
 * @param stashedForm     form newer than the server's, which this tab stored before a reload
 * @param fetchSpan   queries the time span of a dataset, which determines the grain of the suggestion
 */
export async function openDocument(
  { form_data, dataset, slice }: ExploreDocument,
  viz_type: string | null,
  stashedForm: ChartForm | null,
  fetchSpan: (dataset: ExploreDocument['dataset']) => Promise<TimeSpan | null> = async () => null,
  defaults: ExploreDefaults = builtInDefaults,
): Promise<OpenedChart> {
  const isNew = stashedForm === null && (await hasNoQueryFields(form_data))
  const stored = isNew
    ? { ...form_data, ...suggestForm(dataset, await fetchSpan(dataset), defaults.time_range) }
    : { ...form_data, ...stashedForm }
  const { chart, form } = await read(defaults.timeIsDimension ? withTimeDimension(stored) : stored, dataset)
  const wanted = viz_type ?? (isNew ? defaults.viz_type : null)
  const other = wanted && wanted !== chart.viz_type ? await loadChart(wanted) : undefined
  const saved = slice
    ? (await read(defaults.timeIsDimension ? withTimeDimension(slice.form_data) : slice.form_data, dataset)).form
    : null
  if (!other) return { chart, form, saved: saved ?? form }
  const span = needsTimeGrain(form, other) ? await fetchSpan(dataset) : null
  const carriedOver = carryOver(form, chart, other, dataset, span)
  const carried = isNew ? fillRequiredSettings(other, carriedOver, dataset) : carriedOver
  return { chart: other, form: carried, saved: saved ?? carried }
}

/**
 * EXP-077, EXP-078: converts a legacy form that shows time beside its dimensions: time becomes the first dimension, and its range
 * becomes a filter, since only the time column gave the range a meaning.
 */
export function withTimeDimension(form: ChartForm): ChartForm {
  const { include_time, granularity_sqla: time, groupby, time_range, ...rest } = form
  const dimensions = [groupby ?? []].flat() as (string | { label?: string })[]
  const hasTimeDimension = dimensions.some((each) => (typeof each === 'string' ? each : each.label) === time)
  if (include_time !== true || typeof time !== 'string' || hasTimeDimension) return form
  const filters = Array.isArray(form['adhoc_filters']) ? (form['adhoc_filters'] as { subject?: string }[]) : []
  const hasRange = typeof time_range === 'string' && time_range !== 'No filter'
  const isFiltered = filters.some(({ subject }) => subject === time)
  const laid = (form[inheritedSettings] as InheritedSettings | undefined)?.['time_range']
  const own = typeof laid?.own === 'string' ? { insteadOf: timeFilter(time, laid.own) } : {}
  const range = { ...timeFilter(time, String(time_range)), ...(laid && { isExtra: true, ...own }) }
  return {
    ...rest,
    include_time,
    ...(time_range !== undefined && { time_range }),
    groupby: [time, ...dimensions],
    ...(hasRange && !isFiltered && { adhoc_filters: [...filters, range] }),
  }
}

/** An unsupported type keeps its form, and the page reports it; a form without a type opens as a table. */
async function read(
  stored: ChartForm,
  dataset: ExploreDocument['dataset'],
): Promise<{ chart: AnyChart; form: ChartForm }> {
  const opened = await loadStoredForm(stored, dataset)
  if (opened) return opened
  const form = readForm(stored)
  if (typeof form['viz_type'] === 'string' && form['viz_type'] !== '')
    return { chart: unknownChart(form['viz_type']), form }
  const table = await loadChart('table')
  if (!table) throw new Error('The table is missing among the chart types.')
  return { chart: table, form: carryOver(stored, undefined, table, dataset) }
}

/** Query fields common to all types, and controls for fields of specific types. */
const queryFields = ['metric', 'metrics', 'groupby', 'all_columns', 'columns', 'x_axis']
const queryControls = new Set([
  'column',
  'columns',
  'metric',
  'metrics',
  'x-axis',
  'temporal-column',
  'filter-configs',
  'spatial',
  'charts',
  'maps',
])

/** True for a form without query settings, which came with a dataset only. */
async function hasNoQueryFields(stored: ChartForm): Promise<boolean> {
  const opened = await loadStoredForm(stored)
  const own = opened ? buildFieldGroups(opened.chart.form).flatMap(({ fields }) => fields) : []
  const names = own.filter(({ control }) => queryControls.has(control.as ?? '')).map(({ name }) => name)
  const form = extractChartSettings(opened?.form ?? stored)
  return [...queryFields, ...names].every((name) => form[name] === undefined)
}
