import type { Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { defineChart, type SpecContext } from '../define.ts'
import { findColumn } from '../shared/column.ts'
import { ramps } from '../shared/colors/ramps.ts'
import { grainFormat } from '../shared/formats/time.ts'
import { finiteAt } from '../shared/items.ts'
import { form, fromLegacyHeatmap } from './form.ts'
import { buildHeatmapAxis, type HeatmapSort } from './heatmap-axis.ts'

/** One metric by two dimensions, as the color of cells; `cells` has one row per cell. */
export default defineChart({
  viz_type: 'heatmap_v2',
  name: 'Heatmap',
  category: 'Correlation',
  tags: ['Business', 'Intensity', 'Density', 'Single Metric', 'ECharts'],
  description: 'Shows where a metric is high or low across two dimensions, as rows and columns of colored cells.',
  icon: 'M2.5 2.5h11v11h-11zM2.5 6.2h11M2.5 9.8h11M6.2 2.5v11M9.8 2.5v11',
  series: ['heatmap'],
  thumbnail: { fixture: 'warmer-and-colder', form: { show_values: false, border_width: 0 } },
  behaviors: [],
  form,
  initialSettings: { row_limit: 10_000 },
  queries: ({ x_axis: x, groupby: y, metric, sort_x_axis, sort_y_axis, normalize_across, row_limit }) => {
    const across = { heatmap: undefined, x, y }[normalize_across]
    return {
      cells: {
        columns: [x ?? [], y ?? []].flat(),
        metrics: metric ? [metric] : [],
        orderby: [...buildOrder(sort_x_axis, x, metric), ...buildOrder(sort_y_axis, y, metric)],
        row_limit,
        post_processing: metric
          ? [
              {
                operation: 'rank',
                options: { metric: labelOfMetric(metric), ...(across && { group_by: labelOfColumn(across) }) },
              },
            ]
          : [],
      },
    }
  },
  spec: ({ cells }, settings, context) => {
    const { metric, x_axis: x, groupby: y } = settings
    const format = metric ? context.formatOf(metric) : 'SMART_NUMBER'
    const grid = cells && metric && x && y ? buildHeatmapGrid(cells, { ...settings, x, y, metric }, context) : emptyGrid
    const { r, g, b, a = 1 } = settings.border_color
    const ramp = Object.hasOwn(ramps, settings.linear_color_scheme) ? settings.linear_color_scheme : 'dawn'
    return {
      tooltip: {
        trigger: 'item',
        rows: [{ field: 'value', format, share: settings.show_percentage && isAdditiveAggregate(metric) }],
      },
      series: [
        {
          type: 'heatmap',
          name: metric ? context.displayName(labelOfMetric(metric)) : '',
          measure: metric ? labelOfMetric(metric) : '',
          ramp,
          across: settings.normalize_across,
          isRanked: settings.normalized,
          bounds: settings.value_bounds,
          ...(settings.show_legend && { legendType: settings.legend_type }),
          label: { show: settings.show_values, format },
          every: [settings.xscale_interval, settings.yscale_interval],
          margins: [settings.left_margin, settings.bottom_margin],
          itemStyle: { borderColor: `rgba(${r},${g},${b},${a})`, borderWidth: settings.border_width },
          ...grid,
        },
      ],
    }
  },
  replaces: { heatmap: fromLegacyHeatmap },
})

/**
 * Averages, extremes and distinct counts are not shares of their sum; SQL expressions and saved metrics are assumed to be
 * additive.
 */
const isAdditiveAggregate = (metric: QueryMetric | undefined): boolean => {
  const { expressionType, aggregate } = (typeof metric === 'object' ? metric : {}) as {
    expressionType?: string
    aggregate?: string
  }
  return expressionType !== 'SIMPLE' || ['SUM', 'COUNT'].includes(aggregate ?? '')
}

function buildOrder(
  sort: HeatmapSort | null | undefined,
  column: QueryColumn | undefined,
  metric: QueryMetric | undefined,
): [QueryColumn | QueryMetric, boolean][] {
  const by = sort?.startsWith('value') ? metric : column
  return sort && by ? [[by, sort.endsWith('asc')]] : []
}

const emptyGrid = { x: { labels: [], values: [] }, y: { labels: [], values: [] }, data: [] }

interface Settings {
  x: QueryColumn
  y: QueryColumn
  metric: QueryMetric
  sort_x_axis?: HeatmapSort | null
  sort_y_axis?: HeatmapSort | null
  time_grain_sqla?: string | null
  x_axis_time_format: string
}

/** Grains of a month or longer have period names, shorter ones dates. */
const isLong = (grain: string | null | undefined) => /^P(1M|3M|0\.25Y|1Y)$/.test(grain ?? '')

/** Cells as `[place along x, place along y, value, rank]`. */
function buildHeatmapGrid(frame: Frame, settings: Settings, context: SpecContext) {
  const { x_axis_time_format: time, time_grain_sqla: grain } = settings
  const [across, up] = [settings.x, settings.y].map((column) => findColumn(frame, labelOfColumn(column)))
  const values = findColumn(frame, labelOfMetric(settings.metric))
  const ranks = findColumn(frame, 'rank')
  if (!across || !up || !values) return emptyGrid
  const sizes = Array.from({ length: frame.rows }, (_, row) => finiteAt(values, row))
  const dateFormat = time === 'smart_date' && isLong(grain) ? grainFormat(grain) : time
  const x = buildHeatmapAxis(across, sizes, { sort: settings.sort_x_axis, dateFormat, grain, context })
  const y = buildHeatmapAxis(up, sizes, { sort: settings.sort_y_axis, dateFormat: time, context })
  const { places: _, ...columns } = x
  const { places: __, ...rows } = y
  return {
    x: { ...columns, ...(time === 'smart_date' && { isAdaptive: true }) },
    y: rows,
    data: sizes.map((value, row) => [x.places[row], y.places[row], value, ranks ? finiteAt(ranks, row) : null]),
  }
}
