import { shorten } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { axisOption } from '../../axes/axis-option.ts'
import { gridOption } from '../../axes/grid.ts'
import { buildFootnote } from '../../footnote.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { WaterfallMarks, WaterfallSeries } from './marks.ts'
import { buildWaterfallNote } from './texts.ts'

/** Room above and below the bars for their numbers, as a part of the axis. */
const labelRoom = '7%'

export function waterfallAxes(given: SpecSeries, marks: WaterfallMarks, around: RenderContext) {
  const { bars } = marks
  const note = buildFootnote(buildWaterfallNote(marks, around), around)
  const { data, titles, ticks, label, format } = given as unknown as WaterfallSeries
  const labels = data.map(({ name }) => name)
  const grid = gridOption({}, [], false, around)
  const place = { labels, times: [], isZoomable: false, names: 0 }
  const isBelow = bars.some(({ from, to }) => Math.min(from, to) < 0)
  return {
    title: note.title,
    // The plot may give way to labels and title down to this.
    grid: { ...grid, bottom: grid.bottom + note.height, outerBoundsClampHeight: '10%' },
    xAxis: axisOption(
      {
        type: 'category',
        ...(titles.x && {
          name: titles.x,
          ...(ticks in angles && { nameGap: gapAt(angles[ticks as '45°'], labels, around) }),
        }),
        axisLabel: layouts[ticks](labels, around),
      },
      { ...place, side: 'x', isDimension: true },
      around,
    ),
    yAxis: axisOption(
      {
        type: 'value',
        format,
        ...(titles.y && { name: titles.y }),
        ...(label && { boundaryGap: [isBelow ? labelRoom : 0, labelRoom] }),
      },
      { ...place, side: 'y', isDimension: false },
      around,
    ),
  }
}

type Layout = (labels: readonly string[], around: RenderContext) => Record<string, unknown>

const angles = { '45°': 45, '90°': 90 }

const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180)

/** Labels at an angle are as long as they need be, up to a part of the height. */
const lengthAt = (rotate: number, labels: readonly string[], { height }: RenderContext): number => {
  const longest = labels.reduce((most, label) => Math.max(most, textWidth(shorten(label), 11)), 0)
  return Math.min(longest + 1, Math.max(40, (height * 0.35) / sine(rotate)))
}

/** ECharts moves a title out of the way of labels that lie, not of all others. */
const gapAt = (rotate: number, labels: readonly string[], around: RenderContext): number =>
  lengthAt(rotate, labels, around) * sine(rotate) + 22

const rotated =
  (rotate: number): Layout =>
  (labels, around) => ({
    rotate,
    interval: labels.length > maxLabels ? 'auto' : 0,
    width: lengthAt(rotate, labels, around),
    overflow: 'truncate',
  })
/** Of more not all are written. */
const maxLabels = 30

/** The labels of the bars; by themselves they lie, are broken or tilted as they have room. */
const layouts: Record<WaterfallSeries['ticks'], Layout> = {
  auto: () => ({}),
  flat: () => ({ rotate: 0, interval: 'auto', width: null, overflow: 'none' }),
  '45°': rotated(angles['45°']),
  '90°': rotated(angles['90°']),
  /** Every second one a line lower, so that each has the room of two. */
  staggered: (labels, { width }) => ({
    rotate: 0,
    interval: 0,
    hideOverlap: false,
    width: Math.max(16, (2 * width * 0.9) / Math.max(1, labels.length) - 8),
    overflow: 'truncate',
    formatter: (label: string, at: number) => `${at % 2 === 1 ? '\n' : ''}${shorten(label)}`,
  }),
}
