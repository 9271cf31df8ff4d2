import { numberAt, textAt, type Column, type Frame } from '@parquetry/frame'
import type { AnnotationData, AnnotationLayer } from '@parquetry/model'
import type { SpecContext, Spec } from '../../define.ts'
import { othersColor } from '../../resolve/paint.ts'
import { parseColor } from '../colors/color.ts'
import { findColumn } from '../column.ts'
import { readFormula } from './formula.ts'
import { isShown, readAnnotationLayers } from './layers.ts'

/** The chart over which layers are drawn. */
export interface AnnotatedPlot {
  frame: Frame
  /** Name of the x-axis column. */
  x: string
  axis: 'time' | 'value' | 'category'
  /** Colors of its series; lines drawn over them avoid these while others are available. */
  colors: readonly string[]
}

/** Returns the layers of a form as series of a spec: `overlay` for lines, `note` for events and spans. */
export function annotationSeries(layers: unknown, ground: AnnotatedPlot, context: SpecContext): Spec[] {
  const taken = new Set(ground.colors)
  return readAnnotationLayers(layers)
    .filter(isShown)
    .flatMap((layer): Spec[] => {
      if (layer.annotationType === 'FORMULA') return formula(layer, ground)
      const data = Object.hasOwn(context.annotations, layer.name) ? context.annotations[layer.name] : undefined
      if (!data) return []
      return layer.annotationType === 'TIME_SERIES' ? lines(layer, data, ground) : notes(layer, data, ground)
    })
    .map((series) => ({ ...series, color: series.color ?? freeColor(String(series.name), taken, context) }))
}

const maxTries = 20

/** Picks a color by the name alone, as for labels, unless it is taken. */
function freeColor(name: string, taken: Set<string>, context: SpecContext): string {
  const colors = Array.from({ length: maxTries }, (_, index) => {
    const label = name + ' '.repeat(index)
    return context.colorsOf([label])(label)
  })
  const color = colors.find((each) => !taken.has(each)) ?? (colors[0] as string)
  taken.add(color)
  return color
}

function formula(layer: AnnotationLayer, ground: AnnotatedPlot): Spec[] {
  const read = readFormula(String(layer.value ?? ''))
  const column = findColumn(ground.frame, ground.x)
  if (!read || !column) return []
  const of = (x: number | null) => (x === null && read.usesX ? null : finite(read.at(x ?? 0)))
  const points = listAxisPositions(column, ground).map(({ label, number }) => [label, of(number)])
  return points.some(([, value]) => value !== null) ? [overlay(layer, layer.name, points)] : []
}

/** Returns one line per column of numbers; a single line has the name of its layer. */
function lines(layer: AnnotationLayer, { records }: AnnotationData, ground: AnnotatedPlot): Spec[] {
  const [first] = records
  if (!first) return []
  const names = Object.keys(first)
  const along = [layer.timeColumn, '__timestamp', names[0]].find((name) => names.includes(name as string)) as string
  const drawn = names.filter((name) => name !== along && records.some((record) => typeof record[name] === 'number'))
  return drawn.map((name) => {
    const points = records.map((record) => [
      ground.axis === 'category' ? String(record[along]) : toTime(record[along]),
      toNumber(record[name]),
    ])
    const label = drawn.length === 1 ? layer.name : `${layer.name}, ${name}`
    return overlay(layer, label, ground.axis === 'category' ? alignToNames(points, ground) : points)
  })
}

/** Aligns values with the names of a category axis. */
function alignToNames(points: unknown[][], ground: AnnotatedPlot): unknown[][] {
  const values = new Map(points.map(([name, value]) => [name, value]))
  const column = findColumn(ground.frame, ground.x)
  return column ? listAxisPositions(column, ground).map(({ label }) => [label, values.get(label) ?? null]) : []
}

function overlay(layer: AnnotationLayer, name: string, points: unknown[][]): Spec {
  return {
    type: 'overlay',
    name,
    color: colorOf(layer),
    data: points,
    lineStyle: { ...lineStyle(layer), ...(layer.hideLine === true && { width: 0 }) },
    showSymbol: layer.annotationType === 'TIME_SERIES' && layer.showMarkers === true,
    ...(layer.showInLegend === false && { legend: false }),
  }
}

const native = { time: 'start_dttm', end: 'end_dttm', title: 'short_descr', texts: ['long_descr'] }

/** Events and spans are only drawn on axes of times and numbers. */
function notes(layer: AnnotationLayer, { records }: AnnotationData, ground: AnnotatedPlot): Spec[] {
  if (ground.axis === 'category') return []
  const { time, end, title, texts } = layer.sourceType === 'NATIVE' ? native : readColumnNames(layer)
  const isSpan = layer.annotationType === 'INTERVAL'
  const marks = records.flatMap((record) => {
    const at = toTime(record[time])
    const to = isSpan ? (toTime(record[end]) ?? at) : null
    if (at === null) return []
    return {
      at: to === null ? at : Math.min(at, to),
      ...(to !== null && { to: Math.max(at, to) }),
      title: toText(record[title]) || layer.name,
      text: texts
        .map((name) => toText(record[name]))
        .filter(Boolean)
        .join(', '),
    }
  })
  return [
    {
      type: 'note',
      name: layer.name,
      color: colorOf(layer) ?? othersColor,
      data: marks.toSorted((a, b) => a.at - b.at),
      lineStyle: { ...lineStyle(layer), ...(isSpan && !layer.opacity && { opacity: spanOpacity }) },
      ...(layer.showLabel === true && { label: { show: true } }),
      ...(layer.showInLegend === false && { legend: false }),
    },
  ]
}

const readColumnNames = ({ timeColumn, intervalEndColumn, titleColumn, descriptionColumns }: AnnotationLayer) => ({
  time: String(timeColumn ?? ''),
  end: String(intervalEndColumn ?? ''),
  title: String(titleColumn ?? ''),
  texts: Array.isArray(descriptionColumns) ? descriptionColumns.map(String) : [],
})

/** Spans are drawn behind the data. */
const spanOpacity = 0.16
const opacities: Record<string, number> = { opacityLow: 0.2, opacityMedium: 0.5, opacityHigh: 0.8 }
const dashes: Record<string, unknown> = { dashed: [6, 4], longDashed: [12, 5], dotted: [1, 3], solid: 'solid' }

const lineStyle = ({ style, opacity, width }: AnnotationLayer) => ({
  type: dashes[String(style)] ?? 'solid',
  width: Math.min(20, Math.max(0, toNumber(width === '' ? null : Number(width ?? 1)) ?? 1)),
  opacity: opacities[String(opacity)] ?? 1,
})

const colorOf = ({ color }: AnnotationLayer): string | null =>
  typeof color === 'string' && parseColor(color) ? color : null

/** Positions along the axis: the label, and the number that a formula receives. */
const listAxisPositions = (
  column: Column,
  { frame, axis }: AnnotatedPlot,
): { label: number | string | null; number: number | null }[] =>
  Array.from({ length: frame.rows }, (_, row) => {
    const number = numberAt(column, row)
    return { label: axis === 'category' ? textAt(column, row) : number, number }
  })

const finite = (value: number): number | null => (Number.isFinite(value) ? value : null)
const toNumber = (value: unknown): number | null => (typeof value === 'number' ? finite(value) : null)

/** Parses times, which are milliseconds, or text from older servers; without a zone they are UTC. */
function toTime(value: unknown): number | null {
  if (typeof value !== 'string') return toNumber(value)
  return finite(
    Date.parse(/(?:Z|[+-]\d{2}:?\d{2})$/.test(value) || /^\d{4}(-\d\d){0,2}$/.test(value) ? value : `${value}Z`),
  )
}

const toText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''
