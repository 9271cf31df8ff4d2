import { labelOfMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { sortedInitially } from '../shared/controls.ts'
import { schemeOf } from '../shared/colors/schemes.ts'
import { buildItems, type Item } from '../shared/items.ts'
import { form } from './form.ts'
import { computeGaugeRange } from './axis-range.ts'

/** One or a few values between two bounds; `pointers` has one row per pointer. */
export default defineChart({
  viz_type: 'gauge_chart',
  name: 'Gauge Chart',
  category: 'KPI',
  tags: ['Multi-Variables', 'Business', 'Comparison', 'ECharts', 'Report'],
  description: 'Shows where a value falls between a minimum and a maximum, like a speedometer.',
  icon: 'M3.4 12.6a6 6 0 1 1 9.2 0M8 9l2.8-3.4M8 8a1 1 0 1 0 0 2 1 1 0 0 0 0-2z',
  series: ['gauge'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: sortedInitially,
  queries: ({ groupby, metric, sort_by_metric, row_limit }) => ({
    pointers: {
      columns: groupby,
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ pointers }, settings, context) => {
    const { metric, min_val: min, max_val: max } = settings
    const name = metric ? context.displayName(labelOfMetric(metric)) : ''
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const items = metric && pointers ? buildItems(pointers, { ...settings, metric }, context) : []
    const ends = computeGaugeRange(
      items.map(({ value }) => value),
      { min, max },
    )
    return {
      tooltip: { trigger: 'item', rows: [{ field: 'value', format }] },
      series: [
        {
          type: 'gauge',
          name,
          ends,
          format,
          template: settings.value_formatter,
          fontSize: settings.font_size,
          startAngle: settings.start_angle,
          endAngle: settings.end_angle,
          splitNumber: settings.split_number,
          isMoving: settings.animation,
          shows: {
            pointer: settings.show_pointer,
            ticks: settings.show_axis_tick,
            splitLines: settings.show_split_line,
            progress: settings.show_progress,
          },
          isOverlapping: settings.overlap,
          isRound: settings.round_cap,
          bands: buildBands(settings),
          data: colorPointers(items, name, context),
        },
      ],
    }
  },
})

/** Adds colors to the pointers; one without a dimension is named after its metric. */
function colorPointers(items: readonly Item[], name: string, context: SpecContext) {
  const named = items.map((item) => ({ ...item, name: item.name || name }))
  const colorOf = context.colorsOf(named.map((item) => item.name))
  return named.map((item) => ({ ...item, color: colorOf(item.name) }))
}

/** Colored bands of the axis; bounds and color indices that are not numbers are skipped. */
function buildBands(settings: { intervals: string; interval_color_indices: string; color_scheme: string }) {
  const { colors } = schemeOf(settings.color_scheme)
  const places = parseNumbers(settings.interval_color_indices)
  return parseNumbers(settings.intervals)
    .toSorted((a, b) => a - b)
    .map((to, index) => ({ to, color: colors[((places[index] ?? index + 1) - 1) % colors.length] ?? colors[0] }))
}

const parseNumbers = (text: string): number[] =>
  text
    .split(',')
    .filter((each) => each.trim() !== '')
    .map(Number)
    .filter(Number.isFinite)
