import { shorten } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { axisOption } from '../../axes/axis-option.ts'
import { zoomOption } from '../../components.ts'
import { buildFootnote } from '../../footnote.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { findTimeSpan, type Gantt } from './marks.ts'
import { describeOmittedRows } from './texts.ts'

const edge = 8
export const labelSize = 11
/** Height of a lane in pixels: the minimum if all fit, and the height if a slider is needed anyway. */
const minLaneHeight = 11
const comfortableLaneHeight = 16
/** Height of the axis labels. */
const foot = 36
const lineHeight = 23
const slider = { height: 36, width: 20 }

/** Position of the plot, in pixels from the edges of the chart, and the number of lanes that fit. */
export function computePlotBox(gantt: Gantt, around: RenderContext) {
  const { rows, titles, isZoomable, laneCount } = gantt
  const { width, height, isStill = false } = around
  const isSmall = height < 160 || width < 200
  const widest = rows.reduce((most, { name }) => Math.max(most, textWidth(shorten(name), labelSize)), 0)
  const gutter = isSmall ? 0 : Math.min(width * 0.3, widest)
  const top = titles.y ? 26 : 8
  const under = edge + (isZoomable && !isStill ? slider.height : 0)
  const words = describeOmittedRows(gantt, around)
  const room = (note: number) => height - top - under - note - foot - (titles.x ? 18 : 0)
  const lanesIn = (note: number, least = minLaneHeight) => Math.max(1, Math.floor(room(note) / least))
  const { height: lines } = buildFootnote(words, around)
  const isCut = !isSmall && lanesIn(lines) < laneCount
  const lanes = isCut ? (isStill ? lanesIn(lines + lineHeight) : lanesIn(lines, comfortableLaneHeight)) : laneCount
  const missing = isCut && isStill ? describeHiddenRows(rowsFrom(gantt, lanes), around) : ''
  const note = buildFootnote([missing, words].filter(Boolean).join(' '), around)
  return {
    left: edge + gutter + (gutter > 0 ? 8 : 0),
    right: 16 + (isCut && !isStill ? slider.width : 0),
    top,
    bottom: under + note.height,
    gutter,
    title: note.title,
    isCut,
    /** Number of lanes visible initially. */
    lanes,
  }
}

/** Number of rows that begin below the given number of lanes. */
function rowsFrom({ rows }: Gantt, lanes: number): number {
  let lane = 0
  let count = 0
  for (const row of rows) {
    if (lane >= lanes) count += 1
    lane += row.lanes
  }
  return count
}

const describeHiddenRows = (count: number, { translate }: RenderContext): string =>
  translate('picture.gantt.missing', '{count, plural, one {# more row doesn’t fit.} other {# more rows don’t fit.}}', {
    count,
  })

export function ganttComponents(_: SpecSeries, gantt: Gantt, around: RenderContext) {
  const { bars, bounds, formats, titles, isZoomable, laneCount } = gantt
  const { left, right, top, bottom, title, isCut, lanes } = computePlotBox(gantt, around)
  const span = findTimeSpan(bars)
  const times = [...new Set(bars.flatMap(({ from, to }) => [from, to]))].toSorted((a, b) => a - b)
  const [min, max] = [bounds[0] ?? span?.[0] ?? 0, bounds[1] ?? span?.[1] ?? 1]
  const axis = axisOption(
    { type: 'time', format: formats.axis, axisLine: { onZero: false }, ...(titles.x && { name: titles.x }) },
    { side: 'x', labels: [], isDimension: true, times, isZoomable, names: left + right - 80 },
    around,
  )
  const isStill = around.isStill ?? false
  return {
    grid: { left, right, top, bottom, outerBoundsMode: 'same', outerBoundsContain: 'all' },
    xAxis: { ...axis, show: span !== null, min, max: max > min ? max : min + 1 },
    yAxis: { type: 'value', show: false, inverse: true, min: 0, max: Math.max(1, isStill ? lanes : laneCount) },
    title,
    ...(!isStill &&
      (isZoomable || isCut) && { dataZoom: buildZooms({ isZoomable, isCut, lanes, place: { top, bottom } }, around) }),
  }
}

interface Zooms {
  isZoomable: boolean
  isCut: boolean
  lanes: number
  place: { top: number; bottom: number }
}

/** Slider along time if configured; slider through the rows if they do not all fit. */
function buildZooms({ isZoomable, isCut, lanes, place }: Zooms, around: RenderContext) {
  const {
    height: _,
    bottom: __,
    ...look
  } = zoomOption({ type: 'slider', filterMode: 'none' }, around) as Record<string, unknown>
  return [
    ...(isZoomable ? [zoomOption({ type: 'slider', xAxisIndex: 0, filterMode: 'none' }, around)] : []),
    ...(isCut
      ? [
          {
            ...look,
            yAxisIndex: 0,
            orient: 'vertical',
            right: 4,
            width: 12,
            top: place.top,
            bottom: place.bottom + foot,
            height: 'auto',
            startValue: 0,
            endValue: lanes,
            zoomLock: true,
            brushSelect: false,
            showDataShadow: false,
          },
        ]
      : []),
  ]
}
