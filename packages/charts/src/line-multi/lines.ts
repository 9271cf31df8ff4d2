import type { AnnotationData } from '@parquetry/model'
import type { ChartForm } from '../define.ts'
import { layerName, listReferencedCharts } from './layers.ts'

/** A line of a chart that a form names. */
export interface ChartLine {
  name: string
  axis: 0 | 1
  /** Name of its chart. */
  title: string
  at: number[]
  values: (number | null)[]
}

/** Returns a line for each numeric column besides the time, which is the first one; a chart without time has no lines. */
function readLinesOfChart({ records, slice_name }: AnnotationData, id: number, axis: 0 | 1): ChartLine[] {
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

/** Prefixes names with their chart's if configured, or if several lines share a name. */
function disambiguateNames(lines: readonly ChartLine[], isPrefixed: boolean): ChartLine[] {
  const times = new Map<string, number>()
  for (const { name } of lines) times.set(name, (times.get(name) ?? 0) + 1)
  return lines.map((line) => {
    const isTwice = (times.get(line.name) ?? 0) > 1
    return isPrefixed || isTwice ? { ...line, name: `${line.title}: ${line.name}` } : line
  })
}

/** Returns the lines of all charts that could be read, left axis first. */
export function readChartLines(form: ChartForm, layers: Readonly<Record<string, AnnotationData>>): ChartLine[] {
  const lines = listReferencedCharts(form).flatMap(({ id, axis }) => {
    const data = layers[layerName(id)]
    return data ? readLinesOfChart(data, id, axis) : []
  })
  return disambiguateNames(lines, form.prefix_metric_with_slice_name === true)
}
