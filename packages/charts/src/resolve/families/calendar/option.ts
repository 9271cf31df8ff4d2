import { textColorOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { resolveLocale } from '../../../shared/formats/locale.ts'
import { formatAxisTimes } from '../../../shared/formats/time.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { rampLegend } from '../../items/ramp-legend.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { createStepColor, buildStepColors, findExtent } from './colors.ts'
import { layOutCalendar, type CalendarLayout } from './layout.ts'
import type { Calendar, CalendarStyle, CalendarMeasure } from './marks.ts'
import { listCells, toPeriod, locateCell, periodStart } from './units.ts'

const edge = 8
const textSize = { title: 12, label: 11, value: { least: 9, most: 11 } }
const lineHeight = 14
const heights = { title: 20, legend: 26, note: 18 }

/** Cells in blocks, one measure below the other; each measure has its own color steps. */
export const calendarOption = (_: SpecSeries, calendar: Calendar, around: RenderContext) =>
  customSeries(calendar.name, calendar.items.length, (width, height) =>
    drawCalendars(calendar, { ...around, width, height }),
  )

function drawCalendars(calendar: Calendar, around: RenderContext): CustomDrawing {
  const { theme, translate } = around
  const { blocks, times, measures, look } = calendar
  const marks: GraphicElement[][] = Array.from({ length: calendar.items.length }, () => [])
  const beside: GraphicElement[] = []
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
  const layout = layOutCalendar(blocks, { from, to }, look.cell, box)
  const bottom = around.height - edge - heights.note
  let [top, missing] = [edge, 0]
  for (const [place, measure] of measures.entries()) {
    if (look.hasTitles)
      beside.push(
        textShape(edge, top + 7, truncateText(measure.name.slice(0, 200), textSize.title, box.width), {
          size: textSize.title,
          weight: 600,
          fill: theme.text2,
          font: theme.font,
        }),
      )
    const body = { x: edge, y: top + head, width: box.width, bottom: Math.min(bottom, top + head + box.height) }
    const drawn = drawMeasure(calendar, measure, { layout, look, body, labelHeight: box.labelHeight }, around)
    beside.push(...drawn.beside)
    for (const [time, shapes] of drawn.cells.entries()) {
      marks[place * times.length + time] = shapes
      if (shapes.length === 0 && measure.values[time] !== null) missing += 1
    }
    const end = Math.min(body.bottom, body.y + layout.lines * layout.high)
    if (look.hasLegend) beside.push(...drawLegend(measure, look, { x: edge, y: end + 2, width: box.width }, around))
    top = end + foot + 4
  }
  if (missing > 0) {
    const note = translate(
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
  layout: CalendarLayout
  look: CalendarStyle
  body: Body
  labelHeight: number
}

function drawMeasure(
  { blocks, times }: Calendar,
  measure: CalendarMeasure,
  { layout, look, body, labelHeight }: Drawing,
  { theme, locale }: RenderContext,
): { cells: GraphicElement[][]; beside: GraphicElement[] } {
  const { size, gap, perLine, first, count } = layout
  const origin = (period: number) => {
    const turn = period - first
    return {
      x: body.x + (turn % perLine) * layout.wide,
      y: body.y + Math.floor(turn / perLine) * layout.high,
    }
  }
  const corner = (at: number) => {
    const { x, y } = origin(toPeriod(blocks.block, at))
    const { row, column } = locateCell(blocks, at)
    const cell = { x: x + column * (size + gap), y: y + labelHeight + row * (size + gap), width: size, height: size }
    const isInside = cell.x + size <= body.x + body.width + 0.5 && cell.y + size <= body.bottom + 0.5
    return toPeriod(blocks.block, at) >= first && isInside ? cell : null
  }
  const colorOf = createStepColor(measure, buildStepColors(look, theme.name))
  const write = formatter(measure.format, locale)
  const radius = Math.min(look.cell.radius, size / 2)
  const cells = times.map((at, time): GraphicElement[] => {
    const shape = corner(at)
    const value = measure.values[time] ?? null
    if (!shape) return []
    const fill = value === null ? theme.surface : colorOf(value)
    const valueText = write(value)
    const fontSize = Math.min(textSize.value.most, Math.floor(size * 0.45))
    const hasText = look.hasValues && fontSize >= textSize.value.least && textWidth(valueText, fontSize) <= size - 2
    return [
      {
        type: 'rect',
        shape: { ...shape, r: radius },
        style: { fill, ...(value === null && { stroke: theme.axis, lineWidth: 1 }) },
        emphasis: { style: { stroke: theme.text, lineWidth: 1 } },
      },
      ...(hasText
        ? [
            textShape(shape.x + size / 2, shape.y + size / 2, valueText, {
              size: fontSize,
              fill: textColorOn(fill),
              font: theme.font,
              align: 'center',
            }),
          ]
        : []),
    ]
  })
  const periods = Array.from({ length: count }, (_, index) => first + index)
  const known = new Set(times.filter((_, time) => measure.values[time] !== null))
  const outlines = periods
    .flatMap((period) => listCells(blocks, period))
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
      ...drawBlockLabels(blocks.block, periods, { origin, layout, labelHeight, body }, { theme, locale }),
    ],
  }
}

/** Names above the blocks, as many as fit without overlapping. */
function drawBlockLabels(
  unit: Calendar['blocks']['block'],
  periods: readonly number[],
  {
    origin,
    layout,
    labelHeight,
    body,
  }: { origin: (period: number) => { x: number; y: number }; layout: CalendarLayout; labelHeight: number; body: Body },
  { theme, locale }: Pick<RenderContext, 'theme' | 'locale'>,
): GraphicElement[] {
  const words = resolveLocale(locale)
  const shapes: GraphicElement[] = []
  for (let line = 0; line * layout.perLine < periods.length; line++) {
    const inLine = periods.slice(line * layout.perLine, (line + 1) * layout.perLine)
    const named = formatAxisTimes(
      inLine.map((period) => periodStart(unit, period)),
      words,
    )
    let free = -Infinity
    for (const [at, period] of inLine.entries()) {
      const { x, y } = origin(period)
      const periodText = named[at] ?? ''
      const wide = Math.max(...periodText.split('\n').map((part) => textWidth(part, textSize.label)))
      if (x < free || y + labelHeight > body.bottom || x + wide > body.x + body.width) continue
      free = x + wide + 8
      const shape = textShape(x, y, periodText, {
        size: textSize.label,
        fill: theme.tick,
        font: theme.font,
        verticalAlign: 'top',
      })
      shapes.push({ ...shape, style: { ...(shape.style as GraphicElement), lineHeight } })
    }
  }
  return shapes
}

function drawLegend(
  measure: CalendarMeasure,
  look: CalendarStyle,
  place: { x: number; y: number; width: number },
  around: RenderContext,
): GraphicElement[] {
  const extent = findExtent(measure)
  if (!extent) return []
  const [low, high] = extent.map(formatter(measure.format, around.locale)) as [string, string]
  return rampLegend({ low, high, colors: buildStepColors(look, around.theme.name) }, place, around)
}
