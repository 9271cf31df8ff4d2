import type { AnnotationData } from '@parquetry/model'
import type { ChartForm, Look, Spec } from '../define.ts'
import type { SeriesForm } from '../shared/time-series/query.ts'
import { titleFormat, xAxisOf, yAxisOf } from '../shared/time-series/spec.ts'
import { marksOf, type SeriesStyle } from '../shared/time-series/styles.ts'
import { layerName, namedCharts } from './layers.ts'

interface Line {
  name: string
  axis: 0 | 1
  /** Its chart's. */
  title: string
  at: number[]
  values: (number | null)[]
}

/** Every column of numbers beside the time, which is the first one; a chart over no time has no lines. */
function linesOf({ records, slice_name }: AnnotationData, id: number, axis: 0 | 1): Line[] {
  const [time, ...others] = Object.keys(records[0] ?? {})
  if (time === undefined || typeof records[0]?.[time] !== 'number') return []
  const at = records.map((record) => Number(record[time]))
  return others
    .filter((name) => records.some((record) => typeof record[name] === 'number'))
    .map((name) => {
      const values = records.map((record) => (typeof record[name] === 'number' ? record[name] : null))
      return { name, axis, title: slice_name ?? `#${id}`, at, values }
    })
}

/** A name that several lines have, or that is asked to, is said behind its chart's. */
function named(lines: readonly Line[], isPrefixed: boolean): Line[] {
  const times = new Map<string, number>()
  for (const { name } of lines) times.set(name, (times.get(name) ?? 0) + 1)
  return lines.map((line) => {
    const isTwice = (times.get(line.name) ?? 0) > 1
    return isPrefixed || isTwice ? { ...line, name: `${line.title}: ${line.name}` } : line
  })
}

/** Lines on one or two measures. A chart that could not be read has none; the host says so. */
export function lineMultiSpec(form: ChartForm, look: Look): Spec {
  const series = form as SeriesForm & ChartForm
  const drawn = namedCharts(form).flatMap(({ id, axis }) => {
    const data = look.annotations[layerName(id)]
    return data ? linesOf(data, id, axis) : []
  })
  const lines = named(drawn, form.prefix_metric_with_slice_name === true)
  const colorOf = look.colorsOf(lines.length > 1 ? lines.map(({ name }) => name) : [])
  const formats = [form.y_axis_format, form.y_axis_2_format].map((format) =>
    typeof format === 'string' ? format : 'SMART_NUMBER',
  )
  const { type, ...shape } = marksOf(form.seriesType as SeriesStyle)
  const right = {
    ...yAxisOf({ ...series, y_axis_bounds: form.y_axis_2_bounds, y_axis_title: null }, formats[1]!, { type }),
    position: 'right',
  }
  const isUsed = [0, 1].map((axis) => lines.some((line) => line.axis === axis))
  const left = yAxisOf(series, formats[0]!, { type })
  return {
    ...((form.show_legend ?? lines.length > 1) && { legend: { position: form.legendOrientation } }),
    tooltip: {
      trigger: form.rich_tooltip === false ? 'item' : 'axis',
      title: { format: titleFormat(form) },
      rows: [{ field: 'value', format: formats[0] }],
    },
    xAxis: xAxisOf(series, 'time', look),
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
