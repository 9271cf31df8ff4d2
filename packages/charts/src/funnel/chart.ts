import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { sortedInitially } from '../shared/controls.ts'
import { buildItems, type Item } from '../shared/items.ts'
import { labelParts } from '../shared/label-contents.ts'
import { readLabelType, form } from './form.ts'

/** Remaining value of one metric at each step; `steps` has one row per step, in order. */
export default defineChart({
  viz_type: 'funnel',
  name: 'Funnel Chart',
  category: 'KPI',
  tags: ['Business', 'ECharts', 'Progressive', 'Report', 'Sequential', 'Trend', 'Popular'],
  description: 'Shows how much of a value remains from step to step, such as visits, orders and payments.',
  icon: 'M2.5 3h11L10 8.2v4.3l-4 1.3V8.2z',
  series: ['funnel'],
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  initialSettings: sortedInitially,
  queries: ({ groupby, metric, sort_by_metric, row_limit }) => ({
    steps: {
      columns: groupby,
      metrics: metric ? [metric] : [],
      orderby: sort_by_metric && metric ? [[metric, false]] : [],
      row_limit,
    },
  }),
  spec: ({ steps }, settings, context) => {
    const { metric } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const items = metric && steps ? buildItems(steps, { ...settings, metric }, context) : []
    const shares = computeShares(items, settings.percent_calculation_type, metric ? isAdditive(metric, context) : true)
    const colorOf = context.colorsOf(items.map(({ name }) => name))
    return {
      ...(settings.show_legend && { legend: { position: settings.legendOrientation } }),
      tooltip: { trigger: 'item', rows: [{ field: 'value', format, share: true }] },
      series: [
        {
          type: 'funnel',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          label: { show: settings.show_labels, parts: labelParts[readLabelType(settings.label_type)], format },
          tip: labelParts[readLabelType(settings.tooltip_label_type)],
          data: items.map((item, index) => ({ ...item, share: shares[index], color: colorOf(item.name) })),
        },
      ],
    }
  },
})

/** Returns each step as a share of its base; null if the base is zero or the total of a non-additive metric. */
function computeShares(
  items: readonly Item[],
  from: 'first_step' | 'prev_step' | 'total',
  adds: boolean,
): (number | null)[] {
  const total = adds ? items.reduce((sum, { value }) => sum + (value ?? 0), 0) : null
  const bases = {
    first_step: () => items[0]?.value,
    prev_step: (index: number) => items[Math.max(0, index - 1)]?.value,
    total: () => total,
  }
  return items.map(({ value }, index) => {
    const base = bases[from](index) ?? 0
    return base > 0 && value !== null ? value / base : null
  })
}
