import { formatter } from '../../../shared/formats/format.ts'
import { toThemeColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { TooltipContent } from '../../tooltip.ts'
import { findTimeSpan, type GanttBar, type Gantt } from './marks.ts'

const formatDuration = formatter('DURATION')

/** Tooltip with start, end, duration and the configured details. */
export function buildGanttTooltip(
  { bars, rows, groups, formats }: Gantt,
  index: number,
  around: RenderContext,
): TooltipContent {
  const { translate, locale, theme, timeZone } = around
  const bar = bars[index]
  if (!bar) return { title: '', rows: [], more: 0, total: null }
  const group = groups[bar.group]
  const write = formatter(formats.time, locale)
  const time = (ms: number) => (/\d:\d\d/.test(write(ms)) ? `${write(ms)} ${timeZone}` : write(ms))
  const times = [
    [translate('picture.gantt.start', 'Start'), time(bar.from)],
    [translate('picture.gantt.end', 'End'), time(bar.to)],
    [translate('picture.gantt.duration', 'Duration'), formatDuration(bar.to - bar.from)],
    ...bar.details,
  ] as const
  const color = group ? toThemeColor(group.color, theme) : theme.axis
  return {
    title: [rows[bar.row]?.name, group?.name].filter(Boolean).join(', '),
    rows: times.map(([name, value]) => ({ name, color, value, share: null, number: null, isHovered: false })),
    more: 0,
    total: null,
    isOfOne: true,
  }
}

/** Describes the number of bars and rows, the time range, and the longest bar. */
export function describeGantt(gantt: Gantt, kind: string, around: RenderContext): string {
  const { bars, rows, groups, formats } = gantt
  const { translate, locale } = around
  const span = findTimeSpan(bars)
  if (!span) return translate('picture.describe.empty', '{kind} with no data.', { kind })
  const write = formatter(formats.time, locale)
  const longest = bars.reduce((most, bar) => (bar.to - bar.from > most.to - most.from ? bar : most))
  const nameOf = ({ row, group }: GanttBar) => [rows[row]?.name, groups[group]?.name].filter(Boolean).join(', ')
  return translate(
    'picture.describe.gantt',
    '{kind} with {count, plural, one {# bar} other {# bars}} in {rows, plural, one {# row} other {# rows}}, {from} to {to}. Longest: {name}, {duration}.',
    {
      kind,
      count: bars.length,
      rows: new Set(bars.map(({ row }) => row)).size,
      from: write(span[0]),
      to: write(span[1]),
      name: nameOf(longest),
      duration: formatDuration(longest.to - longest.from),
    },
  )
}

/** Reports response rows that are not bars; empty if there are none. */
export function describeOmittedRows({ omitted: { open, backward } }: Gantt, { translate }: RenderContext): string {
  return [
    open > 0 &&
      translate(
        'picture.gantt.open',
        '{count, plural, one {# row is not shown because it has no start or no end.} other {# rows are not shown because they have no start or no end.}}',
        { count: open },
      ),
    backward > 0 &&
      translate(
        'picture.gantt.backward',
        '{count, plural, one {# row is not shown because it ends before it starts.} other {# rows are not shown because they end before they start.}}',
        { count: backward },
      ),
  ]
    .filter(Boolean)
    .join(' ')
}
