import { numberAt, type Frame } from '@parquetry/frame'
import Type from 'typebox'
import { control, defineChart, type ChartForm, type SpecContext, type Spec } from '../define.ts'
import type { SpecSeries } from '../resolve/families/family.ts'
import { createTranslator } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { nullable } from '../shared/controls.ts'
import { formatter } from '../shared/formats/format.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { timeSeriesForm } from '../shared/time-series/form.ts'
import { upgradeSeriesNames } from '../shared/time-series/legacy.ts'
import { seriesQueries, xLabel, type SeriesForm } from '../shared/time-series/query.ts'
import { timeSeriesSpec } from '../shared/time-series/spec.ts'
import { lineStyle, toMarkStyle } from '../shared/time-series/styles.ts'

/** Omitted settings: changes are signed, start at zero, have no total, and do not support annotation layers of values. */
const {
  logAxis: _,
  truncateYAxis: __,
  contributionMode: ___,
  show_value: ____,
  showTooltipTotal: _____,
  showTooltipPercentage: ______,
  annotation_layers: _______,
  ...shared
} = timeSeriesForm.properties

const form = Type.Object({
  ...shared,
  change_since: control(Type.Optional(nullable(Type.String())), {
    label: 'Change since',
    group: 'look',
    description: 'A date, such as 2024-03-01. Leave empty to measure the change from the first point.',
  }),
  seriesType: lineStyle,
  y_axis_bounds: control(shared.y_axis_bounds, { label: 'Y-axis bounds', group: 'look', as: 'bounds' }),
})

interface Start {
  row: number
  value: number
}

/** Returns the first number at or after this row from which changes are measured; a percentage of zero is undefined. */
function findStart(frame: Frame, name: string, from: number): Start | null {
  const column = findColumn(frame, name)
  for (let row = from; column && row < frame.rows; row++) {
    const value = numberAt(column, row)
    if (value !== null && value !== 0 && Number.isFinite(value)) return { row, value }
  }
  return null
}

function firstRow(frame: Frame, name: string, since: unknown): number {
  const times = findColumn(frame, name)
  const startTime = typeof since === 'string' ? Date.parse(since) : Number.NaN
  if (times?.kind !== 'time' || Number.isNaN(startTime)) return 0
  for (let row = 0; row < frame.rows; row++) if ((numberAt(times, row) ?? -Infinity) >= startTime) return row
  return 0
}

/**
 * Returns the change of each series relative to its value on one day. Series that begin later are measured from their start, and
 * their names include it.
 */
function changeSpec(frame: Frame | undefined, settings: SeriesForm & ChartForm, context: SpecContext): Spec {
  const spec = timeSeriesSpec(
    frame,
    { ...settings, stack: null, logAxis: false },
    context,
    toMarkStyle(settings.seriesType as 'line'),
  )
  if (!frame) return spec
  const say = createTranslator(context)
  const x = findColumn(frame, xLabel(settings))
  const format = grainFormat(settings.time_grain_sqla as string | undefined)
  const writeTime = formatter(x?.kind === 'time' ? format : 'PLAIN_NUMBER', context.locale)
  const timeOf = (row: number) => (x ? writeTime(numberAt(x, row)) : '')
  const from = firstRow(frame, xLabel(settings), settings.change_since)
  const axisFormat = settings.y_axis_format
  const change = axisFormat === 'SMART_NUMBER' ? '+,.1~%' : String(axisFormat)
  const { tooltip, yAxis, series } = spec as { tooltip: Spec; yAxis: Spec; series: SpecSeries[] }
  return {
    ...spec,
    tooltip: { ...tooltip, rows: [{ field: 'value', format: change }] },
    yAxis: {
      ...yAxis,
      format: change,
      ...(!yAxis.name &&
        frame.rows > 0 && { name: say('picture.change', 'Change since {time}', { time: timeOf(from) }) }),
    },
    series: series.flatMap((each) => {
      const start = each.points && findStart(frame, each.points.y.column, from)
      if (!each.points || !start) return []
      const { name = '' } = each
      const called = { name, time: timeOf(start.row) }
      return {
        ...each,
        name: start.row === from ? name : say('picture.change.later', '{name}, since {time}', called),
        points: { ...each.points, y: { ...each.points.y, base: start.value } },
      }
    }),
  }
}

/** Percent change of series since one day; `series` has the values themselves, one column per series. */
export default defineChart({
  viz_type: 'compare',
  name: 'Time-series Percent Change',
  category: 'Evolution',
  deprecated: true,
  labelExplanation: 'A line chart with a time comparison shows the same and more.',
  tags: ['Legacy', 'Time', 'Line', 'Comparison', 'Percentages', 'Advanced-Analytics', 'Trend'],
  description:
    'Shows how much each series has grown or shrunk since the same day, so that large and small series can be compared.',
  icon: 'M2 9.5h12M2.5 9.5l3-3 2.5 1.5L13.5 3M2.5 9.5L6 11l3.5-.5 4 2.5',
  series: ['line'],
  thumbnail: { fixture: 'stock-prices', form: { y_axis_title: ' ' } },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: (settings) =>
    seriesQueries({ ...settings, contributionMode: settings.contribution === true ? 'row' : null }),
  spec: ({ series }, settings, context) => changeSpec(series, settings, context),
  replaces: { compare: upgradeSeriesNames },
})
