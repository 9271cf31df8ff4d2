import { inkOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { localeOf } from '../../../shared/formats/locale.ts'
import { axisTimes } from '../../../shared/formats/time.ts'
import { fitted } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { drawnSeries, textShape, type Drawn, type Shape } from '../../items/drawn.ts'
import { rampLegend } from '../../items/ramp-legend.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { SpecSeries } from '../family.ts'
import { colorIn, colorsOf, extentOf } from './colors.ts'
import { layOut, type Layout } from './layout.ts'
import type { Calendar, CalendarLook, Measure } from './marks.ts'
import { cellsOf, periodOf, placeIn, startOf } from './units.ts'

const edge = 8
const text = { title: 12, label: 11, value: { least: 9, most: 11 } }
const lineHeight = 14
const heights = { title: 20, legend: 26, note: 18 }

/** Cells in blocks, measure below measure; each has its own steps of colour. */
export const calendarOption = (_: SpecSeries, calendar: Calendar, around: Surroundings) =>
  drawnSeries(calendar.name, calendar.items.length, (width, height) =>
    calendars(calendar, { ...around, width, height }),
  )

function calendars(calendar: Calendar, around: Surroundings): Drawn {
  const { theme, say } = around
  const { blocks, times, measures, look } = calendar
  const marks: Shape[][] = Array.from({ length: calendar.items.length }, () => [])
  const beside: Shape[] = []
  if (times.length === 0) return { marks, beside }
  const [from, to] = [times[0] ?? 0, times.at(-1) ?? 0]
  const each = (around.height - 2 * edge - heights.note) / measures.length
  const head = look.hasTitles ? heights.title : 0
  const foot = look.hasLegend ? heights.legend : 0
  const isClock = blocks.block === 'hour'
  const box = {
    width: around.width - 2 * edge,
    height: each - head - foot,
    labelHeight: lineHeight * (isClock ? 2 : 1) + 2,
  }
  const layout = layOut(blocks, { from, to }, look.cell, box)
  const bottom = around.height - edge - heights.note
  let [top, missing] = [edge, 0]
  for (const [place, measure] of measures.entries()) {
    if (look.hasTitles)
      beside.push(
        textShape(edge, top + 7, fitted(measure.name.slice(0, 200), text.title, box.width), {
          size: text.title,
          weight: 600,
          fill: theme.text2,
          font: theme.font,
        }),
      )
    const body = { x: edge, y: top + head, width: box.width, bottom: Math.min(bottom, top + head + box.height) }
    const drawn = measureShapes(calendar, measure, { layout, look, body, labelHeight: box.labelHeight }, around)
    beside.push(...drawn.beside)
    for (const [time, shapes] of drawn.cells.entries()) {
      marks[place * times.length + time] = shapes
      if (shapes.length === 0 && measure.values[time] !== null) missing += 1
    }
    const end = Math.min(body.bottom, body.y + layout.lines * layout.high)
    if (look.hasLegend) beside.push(...legendShapes(measure, look, { x: edge, y: end + 2, width: box.width }, around))
    top = end + foot + 4
  }
  if (missing > 0) {
    const note = say(
      'picture.calendar.missing',
      '{count, plural, one {# value doesn’t fit} other {# values don’t fit}}',
      { count: missing },
    )
    beside.push(
      textShape(edge, around.height - edge, note, {
        size: 11,
        fill: theme.tick,
        font: theme.font,
        verticalAlign: 'bottom',
      }),
    )
  }
  return { marks, beside }
}

interface Body {
  x: number
  y: number
  width: number
  bottom: number
}

interface Drawing {
  layout: Layout
  look: CalendarLook
  body: Body
  labelHeight: number
}

function measureShapes(
  { blocks, times }: Calendar,
  measure: Measure,
  { layout, look, body, labelHeight }: Drawing,
  { theme, locale }: Surroundings,
): { cells: Shape[][]; beside: Shape[] } {
  const { size, gap, perLine, first, count } = layout
  const origin = (period: number) => {
    const turn = period - first
    return {
      x: body.x + (turn % perLine) * layout.wide,
      y: body.y + Math.floor(turn / perLine) * layout.high,
    }
  }
  const corner = (at: number) => {
    const { x, y } = origin(periodOf(blocks.block, at))
    const { row, column } = placeIn(blocks, at)
    const cell = { x: x + column * (size + gap), y: y + labelHeight + row * (size + gap), width: size, height: size }
    const isInside = cell.x + size <= body.x + body.width + 0.5 && cell.y + size <= body.bottom + 0.5
    return periodOf(blocks.block, at) >= first && isInside ? cell : null
  }
  const colorOf = colorIn(measure, colorsOf(look, theme.name))
  const write = formatter(measure.format, locale)
  const radius = Math.min(look.cell.radius, size / 2)
  const cells = times.map((at, time): Shape[] => {
    const shape = corner(at)
    const value = measure.values[time] ?? null
    if (!shape) return []
    const fill = value === null ? theme.surface : colorOf(value)
    const said = write(value)
    const fontSize = Math.min(text.value.most, Math.floor(size * 0.45))
    const hasText = look.hasValues && fontSize >= text.value.least && textWidth(said, fontSize) <= size - 2
    return [
      {
        type: 'rect',
        shape: { ...shape, r: radius },
        style: { fill, ...(value === null && { stroke: theme.axis, lineWidth: 1 }) },
        emphasis: { style: { stroke: theme.text, lineWidth: 1 } },
      },
      ...(hasText
        ? [
            textShape(shape.x + size / 2, shape.y + size / 2, said, {
              size: fontSize,
              fill: inkOn(fill),
              font: theme.font,
              align: 'center',
            }),
          ]
        : []),
    ]
  })
  const periods = Array.from({ length: count }, (_, at) => first + at)
  const known = new Set(times.filter((_, time) => measure.values[time] !== null))
  const outlines = periods
    .flatMap((period) => cellsOf(blocks, period))
    .flatMap((at) => (known.has(at) ? [] : (corner(at) ?? [])))
    .map(({ x, y }) => `M${x + 0.5} ${y + 0.5}h${size - 1}v${size - 1}h${1 - size}z`)
  return {
    cells,
    beside: [
      {
        type: 'path',
        silent: true,
        z2: -1,
        shape: { pathData: outlines.join('') },
        style: { fill: 'none', stroke: theme.grid, lineWidth: 1 },
      },
      ...labelShapes(blocks.block, periods, { origin, layout, labelHeight, body }, { theme, locale }),
    ],
  }
}

/** Names of the blocks above them, as many as stand clear of each other. */
function labelShapes(
  unit: Calendar['blocks']['block'],
  periods: readonly number[],
  {
    origin,
    layout,
    labelHeight,
    body,
  }: { origin: (period: number) => { x: number; y: number }; layout: Layout; labelHeight: number; body: Body },
  { theme, locale }: Pick<Surroundings, 'theme' | 'locale'>,
): Shape[] {
  const words = localeOf(locale)
  const shapes: Shape[] = []
  for (let line = 0; line * layout.perLine < periods.length; line++) {
    const inLine = periods.slice(line * layout.perLine, (line + 1) * layout.perLine)
    const named = axisTimes(
      inLine.map((period) => startOf(unit, period)),
      words,
    )
    let free = -Infinity
    for (const [at, period] of inLine.entries()) {
      const { x, y } = origin(period)
      const said = named[at] ?? ''
      const wide = Math.max(...said.split('\n').map((part) => textWidth(part, text.label)))
      if (x < free || y + labelHeight > body.bottom || x + wide > body.x + body.width) continue
      free = x + wide + 8
      const shape = textShape(x, y, said, {
        size: text.label,
        fill: theme.tick,
        font: theme.font,
        verticalAlign: 'top',
      })
      shapes.push({ ...shape, style: { ...(shape.style as Shape), lineHeight } })
    }
  }
  return shapes
}

function legendShapes(
  measure: Measure,
  look: CalendarLook,
  place: { x: number; y: number; width: number },
  around: Surroundings,
): Shape[] {
  const extent = extentOf(measure)
  if (!extent) return []
  const [low, high] = extent.map(formatter(measure.format, around.locale)) as [string, string]
  return rampLegend({ low, high, colors: colorsOf(look, around.theme.name) }, place, around)
}
