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
  /** The saved form, read in the same way; the form itself where nothing is saved. */
  saved: ChartForm
}

/** What the configuration says of charts that are opened. */
export interface ExploreDefaults {
  /** The type of a first picture (EXP-073); null where a guess chooses it. */
  viz_type: string | null
  /** The time range of a first picture (EXP-075). */
  time_range: string
  /** Times are dimensions as others: `GENERIC_CHART_AXES` (PERM-034). */
  timeIsDimension: boolean
}

/** EXP-074, EXP-076: those of a server whose configuration says nothing. */
export const builtInDefaults: ExploreDefaults = { viz_type: null, time_range: 'No filter', timeIsDimension: true }

/**
 * The chart type and the form to begin with: the stored one, or a best guess for a dataset without any (EXP-072 to EXP-074).
 * @param viz_type  the type that the address names
 * @param aside     a form newer than the server's, which this tab had put aside before a reload
 * @param askSpan   asks for the span of a dataset's time, which chooses the grain of its first picture
 */
export async function openDocument(
  { form_data, dataset, slice }: ExploreDocument,
  viz_type: string | null,
  aside: ChartForm | null,
  askSpan: (dataset: ExploreDocument['dataset']) => Promise<TimeSpan | null> = async () => null,
  defaults: ExploreDefaults = builtInDefaults,
): Promise<OpenedChart> {
  const isNew = aside === null && (await hasNoQueryFields(form_data))
  const stored = isNew
    ? { ...form_data, ...suggestForm(dataset, await askSpan(dataset), defaults.time_range) }
    : { ...form_data, ...aside }
  const { chart, form } = await read(defaults.timeIsDimension ? withTimeDimension(stored) : stored, dataset)
  const wanted = viz_type ?? (isNew ? defaults.viz_type : null)
  const other = wanted && wanted !== chart.viz_type ? await loadChart(wanted) : undefined
  const saved = slice
    ? (await read(defaults.timeIsDimension ? withTimeDimension(slice.form_data) : slice.form_data, dataset)).form
    : null
  if (!other) return { chart, form, saved: saved ?? form }
  const span = needsTimeGrain(form, other) ? await askSpan(dataset) : null
  const asked = carryOver(form, chart, other, dataset, span)
  const carried = isNew ? fillRequiredSettings(other, asked, dataset) : asked
  return { chart: other, form: carried, saved: saved ?? carried }
}

/**
 * EXP-077, EXP-078: of an older form that shows its time beside its dimensions, time is the first of them. Its range, which the
 * time column alone gave a meaning, becomes a filter.
 */
export function withTimeDimension(form: ChartForm): ChartForm {
  const { include_time, granularity_sqla: time, groupby, time_range, ...rest } = form
  const dimensions = [groupby ?? []].flat() as (string | { label?: string })[]
  const isThere = dimensions.some((each) => (typeof each === 'string' ? each : each.label) === time)
  if (include_time !== true || typeof time !== 'string' || isThere) return form
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

/** A type that nobody here draws keeps its form, and the page says so; a form without any type is shown as a table. */
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

/** Fields by which any type asks, and controls by which each has its own. */
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

/** A form that asks nothing yet: it came with a dataset only. */
async function hasNoQueryFields(stored: ChartForm): Promise<boolean> {
  const opened = await loadStoredForm(stored)
  const own = opened ? buildFieldGroups(opened.chart.form).flatMap(({ fields }) => fields) : []
  const names = own.filter(({ control }) => queryControls.has(control.as ?? '')).map(({ name }) => name)
  const form = extractChartSettings(opened?.form ?? stored)
  return [...queryFields, ...names].every((name) => form[name] === undefined)
}
