import { shorten } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { axisOption } from '../../axes/axis-option.ts'
import { gridOption } from '../../axes/grid.ts'
import { buildFootnote } from '../../footnote.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { WaterfallMarks, WaterfallSeries } from './marks.ts'
import { buildWaterfallNote } from './texts.ts'

/** Space above and below the bars for their numbers, as a share of the axis. */
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
    // Minimum height of the plot when labels and title need space.
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

/** Length of tilted labels, limited to a share of the height. */
const lengthAt = (rotate: number, labels: readonly string[], { height }: RenderContext): number => {
  const longest = labels.reduce((most, label) => Math.max(most, textWidth(shorten(label), 11)), 0)
  return Math.min(longest + 1, Math.max(40, (height * 0.35) / sine(rotate)))
}

/** Gap between tilted labels and the axis title, because ECharts only makes space for horizontal labels. */
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
/** With more bars, some labels are omitted. */
const maxLabels = 30

/** Layouts of the bar labels; `auto` keeps them horizontal, wraps or tilts them depending on the space. */
const layouts: Record<WaterfallSeries['ticks'], Layout> = {
  auto: () => ({}),
  flat: () => ({ rotate: 0, interval: 'auto', width: null, overflow: 'none' }),
  '45°': rotated(angles['45°']),
  '90°': rotated(angles['90°']),
  /** Every second label is one line lower, so that each has twice the width. */
  staggered: (labels, { width }) => ({
    rotate: 0,
    interval: 0,
    hideOverlap: false,
    width: Math.max(16, (2 * width * 0.9) / Math.max(1, labels.length) - 8),
    overflow: 'truncate',
    formatter: (label: string, index: number) => `${index % 2 === 1 ? '\n' : ''}${shorten(label)}`,
  }),
}
