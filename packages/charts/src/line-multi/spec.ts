import type { ChartForm, SpecContext, Spec } from '../define.ts'
import type { SeriesForm } from '../shared/time-series/query.ts'
import { titleFormat, xAxisSpec, yAxisSpec } from '../shared/time-series/spec.ts'
import { toMarkStyle, type SeriesStyle } from '../shared/time-series/styles.ts'
import { readChartLines } from './lines.ts'

/** Lines on one or two y-axes. A chart that could not be read has none; the host reports it. */
export function lineMultiSpec(form: ChartForm, context: SpecContext): Spec {
  const series = form as SeriesForm & ChartForm
  const lines = readChartLines(form, context.annotations)
  const colorOf = context.colorsOf(lines.length > 1 ? lines.map(({ name }) => name) : [])
  const formats = [form.y_axis_format, form.y_axis_2_format].map((format) =>
    typeof format === 'string' ? format : 'SMART_NUMBER',
  )
  const { type, ...shape } = toMarkStyle(form.seriesType as SeriesStyle)
  const right = {
    ...yAxisSpec({ ...series, y_axis_bounds: form.y_axis_2_bounds, y_axis_title: null }, formats[1]!, { type }),
    position: 'right',
  }
  const isUsed = [0, 1].map((axis) => lines.some((line) => line.axis === axis))
  const left = yAxisSpec(series, formats[0]!, { type })
  return {
    ...((form.show_legend ?? lines.length > 1) && { legend: { position: form.legendOrientation } }),
    tooltip: {
      trigger: form.rich_tooltip === false ? 'item' : 'axis',
      title: { format: titleFormat(form) },
      rows: [{ field: 'value', format: formats[0] }],
    },
    xAxis: xAxisSpec(series, 'time', context),
    yAxis: isUsed[1] ? [left, { ...right, ...(isUsed[0] && { splitLine: { show: false } }) }] : left,
    ...(form.zoomable === true && { dataZoom: [{ type: 'slider' }] }),
    series: lines.map(({ name, axis, at, values }) => ({
      type,
      name,
      color: colorOf(name),
      ...shape,
      course: { at, values },
      format: formats[axis],
      showSymbol: form.markerEnabled === true,
      symbolSize: form.markerSize,
      ...(axis === 1 && { yAxisIndex: 1 }),
    })),
  }
}
