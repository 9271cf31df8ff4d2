import { numberAt, type Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { unfinishedPeriod } from '../shared/grain.ts'
import { xLabel } from '../shared/time-series/query.ts'
import { form, unitGrains } from './form.ts'

/** Metrics by period as cells of a calendar; `cells` has one row per period. */
export default defineChart({
  viz_type: 'cal_heatmap',
  name: 'Calendar Heatmap',
  category: 'Correlation',
  tags: ['Business', 'Comparison', 'Intensity', 'Pattern', 'Report', 'Trend'],
  description:
    'Shows how a metric changes across days, weeks and months. The higher the value, the stronger the color.',
  icon: 'M2.5 3.5h11v10h-11zM2.5 6.5h11M5 2v2.5M11 2v2.5M5 9h1.5M9.5 9H11M5 11.3h1.5',
  series: ['calendar'],
  thumbnail: { fixture: 'rain-of-a-quarter', form: { show_metric_name: false } },
  behaviors: [],
  form,
  queries: (settings) => {
    const { x_axis, metrics, subdomain_granularity: unit } = settings
    const hasTime = Boolean(x_axis ?? settings.granularity_sqla)
    return {
      cells: {
        columns: x_axis ? [x_axis] : [],
        metrics,
        ...(!x_axis && { is_timeseries: true }),
        extras: { time_grain_sqla: unitGrains[unit] },
        // a row limit cuts the oldest periods
        orderby: hasTime ? [[xLabel(settings), false]] : [],
      },
    }
  },
  spec: ({ cells }, settings, context) => {
    const { metrics, domain_granularity: block, subdomain_granularity: cell, x_axis_time_format: time } = settings
    const x = xLabel(settings)
    const unfinished = unfinishedPeriod(findLastTime(cells, x), unitGrains[cell], context.until)
    return {
      tooltip: { trigger: 'item', title: { format: time === 'smart_date' ? grainFormat(unitGrains[cell]) : time } },
      series: [
        {
          type: 'calendar',
          name: metrics.map((metric) => context.displayName(labelOfMetric(metric))).join(', '),
          frame: 'cells',
          x: { column: x },
          measures: metrics.map((metric) => {
            const column = labelOfMetric(metric)
            return { column, name: context.displayName(column), format: context.formatOf(metric) }
          }),
          units: { block, cell },
          ...(unfinished !== null && { unfinished }),
          look: {
            cell: { size: settings.cell_size, gap: settings.cell_padding, radius: settings.cell_radius },
            ramp: settings.linear_color_scheme,
            steps: settings.steps,
            hasTitles: settings.show_metric_name,
            hasValues: settings.show_values,
            hasLegend: settings.show_legend,
          },
        },
      ],
    }
  },
})

function findLastTime(frame: Frame | undefined, name: string): number | null {
  const times = frame && findColumn(frame, name)
  if (!frame || times?.kind !== 'time') return null
  return Array.from({ length: frame.rows }, (_, row) => numberAt(times, row)).reduce<number | null>(
    (last, index) => (index !== null && (last === null || index > last) ? index : last),
    null,
  )
}
