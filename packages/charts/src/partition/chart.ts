import type { Frame } from '@parquetry/frame'
import { labelOfMetric } from '@parquetry/model'
import type { Static } from 'typebox'
import { defineChart, type ChartForm, type SpecContext } from '../define.ts'
import { buildOrderBy } from '../query/order-by.ts'
import { findColumn } from '../shared/column.ts'
import { formatter } from '../shared/formats/format.ts'
import { commonMetricFormat } from '../shared/formats/metrics.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { seriesQueries, xLabel } from '../shared/time-series/query.ts'
import { form, usesTime } from './form.ts'
import { colorPartitions, findTimeExtent, buildPartitions, formatPeriodName, type PartitionForm } from './partitions.ts'

type Settings = Static<typeof form> & ChartForm

/** Adds the time-series settings that this form does not offer. */
const asSeries = (settings: Settings): PartitionForm => ({
  ...settings,
  time_compare: [],
  comparison_type: 'values',
  truncate_metric: true,
  show_empty_columns: true,
  x_axis_sort_asc: true,
})

/**
 * A number divided into parts from column to column; `parts` has one row per innermost part, and per period when time is used.
 */
export default defineChart({
  viz_type: 'partition',
  name: 'Partition Chart',
  category: 'Part of a Whole',
  tags: ['Categorical', 'Comparison', 'Legacy', 'Proportional'],
  description: 'Shows a whole and its nested parts from column to column. Click a part to zoom in.',
  icon: 'M2.5 2.5h3.7v11H2.5zM6.2 2.5h3.6v7H6.2zM6.2 9.5h3.6v4H6.2zM9.8 2.5h3.7v4H9.8zM9.8 6.5h3.7v3H9.8z',
  series: ['partition'],
  thumbnail: { fixture: 'population' },
  exampleGallery: ['growth', 'population'],
  behaviors: [],
  form,
  queries: (settings): { parts: ReturnType<typeof seriesQueries>['series'] } => {
    const { x_axis, groupby, metrics, time_series_option: option } = settings
    if (option === 'adv_anal') return { parts: seriesQueries(asSeries(settings)).series }
    const shared = { series_columns: groupby, metrics, orderby: buildOrderBy(settings, metrics) }
    if (!usesTime(settings)) return { parts: { ...shared, columns: groupby } }
    return {
      parts: { ...shared, columns: [...(x_axis ? [x_axis] : []), ...groupby], ...(!x_axis && { is_timeseries: true }) },
    }
  },
  spec: ({ parts: frame }, settings, context) => {
    const own = asSeries(settings)
    const parts = frame ? colorPartitions(buildPartitions(frame, own, context), own, context) : []
    const format = commonMetricFormat(settings.metrics, context)
    return {
      tooltip: { trigger: 'item', rows: [{ field: 'value', format, share: true }] },
      series: [
        {
          type: 'partition',
          name: settings.metrics.map((each) => context.displayName(labelOfMetric(each))).join(', '),
          format,
          isRich: settings.rich_tooltip,
          ...(settings.log_scale && { isLog: true }),
          ...(frame && changeSpec(frame, own, context)),
          data: parts,
        },
      ],
    }
  },
})

const changes = { point_diff: 'difference', point_percent: 'percent', point_factor: 'factor' } as const

/** Returns the kind of change that the parts show, and the first and last period. */
function changeSpec(frame: Frame, settings: PartitionForm, context: SpecContext) {
  const { time_series_option: option, date_time_format: format, time_grain_sqla: grain } = settings
  const times = findColumn(frame, xLabel(settings))
  const ends = times && findTimeExtent(times, frame.rows)
  if (!(option in changes) || !ends) return {}
  const write = formatter(format === 'smart_date' ? grainFormat(grain) : format, context.locale)
  const until = formatPeriodName(write(ends.until), ends.until, settings, context)
  return { change: { as: changes[option as keyof typeof changes], since: write(ends.since), until } }
}
