import { labelOfMetric, type QueryColumn } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { createTranslator } from '../resolve/text.ts'
import { toHex } from '../shared/colors/color.ts'
import { isAdditive } from '../shared/aggregate-kind.ts'
import { form } from './form.ts'
import { xColumnLabel, buildWaterfallSteps } from './steps.ts'

/** Increases and decreases of a value along an axis; `changes` has one row per position, or per part of its change. */
export default defineChart({
  viz_type: 'waterfall',
  name: 'Waterfall Chart',
  category: 'Evolution',
  tags: ['Categorical', 'Comparison', 'ECharts', 'Popular'],
  description:
    'Shows how a series of increases and decreases leads to a total, such as the costs between sales and profit.',
  icon: 'M2 13.5h3v-5H2zM5 8.5h1.5M6.5 8.5h3v-4h-3zM9.5 4.5H11M11 4.5h3v9h-3z',
  series: ['waterfall'],
  behaviors: [],
  form,
  queries: (settings) => {
    const x = settings.x_axis ?? xColumnLabel(settings)
    const columns: QueryColumn[] = [...(x ? [x] : []), ...settings.groupby]
    return {
      changes: {
        columns,
        metrics: settings.metric ? [settings.metric] : [],
        orderby: columns.map((column) => [column, true]),
      },
    }
  },
  spec: ({ changes }, settings, context) => {
    const { metric } = settings
    const say = createTranslator(context)
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const names = {
      increase: settings.increase_label || say('picture.waterfall.increase', 'Increase'),
      decrease: settings.decrease_label || say('picture.waterfall.decrease', 'Decrease'),
      total: settings.total_label || say('picture.waterfall.total', 'Total'),
    }
    const x = xColumnLabel(settings)
    return {
      ...(settings.show_legend && { legend: { position: settings.legendOrientation } }),
      tooltip: { trigger: 'axis', rows: [{ field: 'value', format }] },
      series: [
        {
          type: 'waterfall',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          names,
          colors: {
            increase: toHex(settings.increase_color),
            decrease: toHex(settings.decrease_color),
            total: toHex(settings.total_color),
          },
          ...(settings.show_value && { label: { show: true } }),
          format,
          ...(metric && !isAdditive(metric, context) && { adds: false }),
          titles: { x: settings.x_axis_label ?? '', y: settings.y_axis_label ?? '' },
          ticks: settings.x_ticks_layout,
          data:
            metric && changes && x !== null
              ? buildWaterfallSteps(changes, x, { ...settings, metric }, names.total, context)
              : [],
        },
      ],
    }
  },
})
