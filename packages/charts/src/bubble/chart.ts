import { cellAt, type Cell, type Frame } from '@parquetry/frame'
import { labelOfColumn, labelOfMetric, type QueryColumn, type QueryMetric } from '@parquetry/model'
import { defineChart, type SpecContext, type Spec } from '../define.ts'
import { unique } from '../query/base-query.ts'
import { findColumn } from '../shared/column.ts'
import { finiteAt, dimensionFormatter } from '../shared/items.ts'
import { form, fromLegacyBubble } from './form.ts'

/** Three metrics per dimension value, as x, y and area; `bubbles` has one row per bubble. */
export default defineChart({
  viz_type: 'bubble_v2',
  name: 'Bubble Chart',
  category: 'Correlation',
  tags: ['Multi-Dimensions', 'Comparison', 'Scatter', 'Time', 'Trend', 'ECharts'],
  description: 'Shows how two metrics of many items relate, with a third metric as the bubble size.',
  icon: 'M2.5 2.5v11h11M6.2 8.2a1.4 1.4 0 1 0 0 2.8 1.4 1.4 0 0 0 0-2.8zM10.5 3.4a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6zM11.5 10.5h.01',
  series: ['bubble'],
  thumbnail: { fixture: 'countries', form: { x_axis_label: ' ', y_axis_label: ' ', max_bubble_size: 14 } },
  behaviors: [],
  form,
  initialSettings: { row_limit: 10_000 },
  queries: ({ entity, series, x, y, size, orderby, order_desc, row_limit }) => {
    const by = orderby ?? size
    return {
      bubbles: {
        columns: unique([entity ?? [], series ?? []].flat(), labelOfColumn),
        metrics: unique([x ?? [], y ?? [], size ?? []].flat(), labelOfMetric),
        orderby: by ? [[by, orderby ? !order_desc : false]] : [],
        row_limit,
      },
    }
  },
  spec: ({ bubbles }, settings, context) => {
    const { x, y, size, series } = settings
    const formats = resolveFormats(settings, context)
    const all = bubbles && x && y && size ? buildBubbles(bubbles, { ...settings, x, y, size }, context) : []
    const groups = new Map<string, Bubble[]>()
    for (const { group, ...bubble } of all) {
      const others = groups.get(group)
      if (others) others.push(bubble)
      else groups.set(group, [bubble])
    }
    const colorOf = context.colorsOf(series ? [...groups.keys()] : [])
    const nameOf = (metric: QueryMetric | undefined) => (metric ? context.displayName(labelOfMetric(metric)) : '')
    const largest = all.reduce((most, bubble) => Math.max(most, bubble.size ?? 0), 0)
    const hasLegend = settings.show_legend && Boolean(series)
    return {
      ...(hasLegend && { legend: { position: settings.legendOrientation } }),
      tooltip: { trigger: 'item', rows: [{ field: 'value', format: formats.y }] },
      xAxis: axisSpec(
        all.map((bubble) => bubble.x),
        {
          name: settings.x_axis_label || nameOf(x),
          format: formats.x,
          rotate: settings.xAxisLabelRotation,
          isLog: settings.logXAxis,
          isCut: settings.truncateXAxis,
          bounds: settings.xAxisBounds,
        },
      ),
      yAxis: axisSpec(
        all.map((bubble) => bubble.y),
        {
          name: settings.y_axis_label || nameOf(y),
          format: formats.y,
          rotate: settings.yAxisLabelRotation,
          isLog: settings.logYAxis,
          isCut: settings.truncateYAxis,
          bounds: settings.y_axis_bounds,
        },
      ),
      series: [...groups].map(([group, items]) => ({
        type: 'bubble',
        name: series ? group : nameOf(y),
        color: colorOf(group),
        measures: [
          { name: nameOf(x), label: x && labelOfMetric(x), format: formats.x },
          { name: nameOf(y), label: y && labelOfMetric(y), format: formats.y },
          { name: nameOf(size), label: size && labelOfMetric(size), format: formats.size },
        ],
        isLog: [settings.logXAxis, settings.logYAxis],
        largest,
        radius: settings.max_bubble_size,
        itemStyle: { opacity: settings.opacity },
        data: items,
      })),
    }
  },
  replaces: { bubble: fromLegacyBubble },
})

interface Settings {
  entity?: QueryColumn
  series?: QueryColumn | null
  x: QueryMetric
  y: QueryMetric
  size: QueryMetric
}

interface Bubble {
  name: string
  key: Record<string, Cell>
  x: number | null
  y: number | null
  size: number | null
}

/** Returns the bubbles with the name of their group, which determines the color. */
function buildBubbles(
  frame: Frame,
  { entity, series, ...metrics }: Settings,
  context: SpecContext,
): (Bubble & { group: string })[] {
  const nameOf = dimensionFormatter(context, 'smart_date')
  const findNamed = (dimension: QueryColumn | null | undefined) =>
    dimension ? findColumn(frame, labelOfColumn(dimension)) : undefined
  const [things, groups] = [findNamed(entity), findNamed(series)]
  const [x, y, size] = [metrics.x, metrics.y, metrics.size].map((metric) => findColumn(frame, labelOfMetric(metric)))
  if (!x || !y || !size) return []
  return Array.from({ length: frame.rows }, (_, row) => {
    const group = groups ? nameOf(groups, cellAt(groups, row)) : ''
    const thing = things ? nameOf(things, cellAt(things, row)) : ''
    return {
      name: [thing, ...(groups && groups !== things ? [group] : [])].join(', '),
      group,
      key: Object.fromEntries([things ?? [], groups ?? []].flat().map((column) => [column.name, cellAt(column, row)])),
      x: finiteAt(x, row),
      y: finiteAt(y, row),
      size: finiteAt(size, row),
    }
  })
}

/** `look` formats metrics by the form's y-axis format; the x-axis and size have their own formats. */
function resolveFormats(
  settings: Partial<Settings> & { xAxisFormat: string; y_axis_format: string; tooltipSizeFormat: string },
  context: SpecContext,
) {
  const isAdaptive = settings.y_axis_format === 'SMART_NUMBER'
  const own = (metric: QueryMetric | undefined, axisFormat: string) =>
    axisFormat === 'SMART_NUMBER' && isAdaptive && metric ? context.formatOf(metric) : axisFormat
  return {
    x: own(settings.x, settings.xAxisFormat),
    y: settings.y ? context.formatOf(settings.y) : settings.y_axis_format,
    size: own(settings.size, settings.tooltipSizeFormat),
  }
}

interface AxisSettings {
  name: string
  format: string
  rotate: number
  isLog: boolean
  /** The axis need not begin at zero, and may have its own bounds. */
  isCut: boolean
  bounds: (number | null)[]
}

function axisSpec(
  values: readonly (number | null)[],
  { name, format, rotate, isLog, isCut, bounds }: AxisSettings,
): Spec {
  const [min, max] = isCut ? bounds.map((bound) => (isLog && bound !== null && bound <= 0 ? null : bound)) : []
  return {
    type: isLog ? 'log' : 'value',
    format,
    ...(name.trim() !== '' && { name }),
    axisLine: { onZero: false },
    ...(rotate !== 0 && { axisLabel: { rotate } }),
    ...(isCut && { scale: true }),
    ...(min != null && { min }),
    ...(max != null && { max }),
    ...(!isLog && { boundaryGap: [isCut && hasRoomBelow(values) ? margin : 0, margin] }),
  }
}

/** Share of the axis span reserved as a margin around the outermost bubbles. */
const margin = '6%'

/**
 * Returns whether a margin fits below the lowest value without crossing zero: an axis of non-negative values would suggest
 * negative ones.
 */
function hasRoomBelow(values: readonly (number | null)[]): boolean {
  const known = values.filter((value) => value !== null)
  const low = known.reduce((least, value) => Math.min(least, value), Infinity)
  const high = known.reduce((most, value) => Math.max(most, value), -Infinity)
  return low < 0 || low - 0.06 * (high - low) >= 0
}
