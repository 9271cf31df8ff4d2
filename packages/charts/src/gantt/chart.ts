import { labelOfColumn, labelOfMetric, type QueryColumn } from '@parquetry/model'
import { defineChart } from '../define.ts'
import { readOrder, unique } from '../query/base-query.ts'
import { buildGanttBars, noBars } from './bars.ts'
import { resolveTimeBounds } from './bounds.ts'
import { form } from './form.ts'

/** Start and end times as bars, in one row per item; `bars` has one row per bar. */
export default defineChart({
  viz_type: 'gantt_chart',
  name: 'Gantt Chart',
  category: '',
  tags: ['ECharts', 'Timeline', 'Time'],
  description: 'Shows when tasks start and end and which ones overlap, such as the steps of a project.',
  icon: 'M2.5 2v12M2.5 4H8M6 8h6M9 12h4.5',
  series: ['gantt'],
  thumbnail: { fixture: 'monarchs' },
  behaviors: ['INTERACTIVE_CHART', 'DRILL_TO_DETAIL', 'DRILL_BY'],
  form,
  queries: ({ start_time, end_time, y_axis, series, tooltip_columns, tooltip_metrics, order_by_cols }) => {
    const orderby = readOrder(order_by_cols)
    const columns = [start_time ?? [], end_time ?? [], y_axis ?? [], series ?? [], tooltip_columns].flat()
    return {
      bars: {
        columns: unique([...columns, ...orderby.map(([column]) => column as QueryColumn)], labelOfColumn),
        metrics: unique(tooltip_metrics, labelOfMetric),
        orderby,
        series_columns: series ? [series] : [],
      },
    }
  },
  spec: ({ bars }, settings, context) => {
    const { start_time, end_time, y_axis, series } = settings
    const isComplete = bars && start_time && end_time && y_axis
    const { groups, ...read } = isComplete ? buildGanttBars(bars, settings, context) : noBars
    const colorOf = context.colorsOf(series ? groups : [])
    return {
      ...(settings.show_legend &&
        series && {
          legend: {
            position: settings.legendOrientation,
            ...(settings.legendSort != null && { sort: settings.legendSort }),
          },
        }),
      tooltip: { trigger: 'item' },
      series: [
        {
          type: 'gantt',
          name: y_axis ? context.displayName(labelOfColumn(y_axis)) : '',
          ...read,
          groups: groups.map((name) => ({ name, color: colorOf(name) })),
          bounds: resolveTimeBounds(settings.x_axis_time_bounds, read.data),
          formats: { axis: settings.x_axis_time_format, time: settings.tooltipTimeFormat },
          titles: { x: settings.x_axis_title ?? '', y: settings.y_axis_title ?? '' },
          isZoomable: settings.zoomable,
        },
      ],
    }
  },
})
