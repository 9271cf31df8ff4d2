import { formatter } from '../../../shared/formats/format.ts'
import { drawnColor } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { Tip } from '../../tooltip.ts'
import { spanOf, type Bar, type Gantt } from './marks.ts'

const longer = formatter('DURATION')

/** When it begins, when it ends and how long it lasts, and what else is asked of it. */
export function tipOf({ bars, rows, groups, formats }: Gantt, at: number, around: Surroundings): Tip {
  const { say, locale, theme, timeZone } = around
  const bar = bars[at]
  if (!bar) return { title: '', rows: [], more: 0, total: null }
  const group = groups[bar.group]
  const write = formatter(formats.time, locale)
  const time = (ms: number) => (/\d:\d\d/.test(write(ms)) ? `${write(ms)} ${timeZone}` : write(ms))
  const said = [
    [say('picture.gantt.start', 'Start'), time(bar.from)],
    [say('picture.gantt.end', 'End'), time(bar.to)],
    [say('picture.gantt.duration', 'Duration'), longer(bar.to - bar.from)],
    ...bar.details,
  ] as const
  const color = group ? drawnColor(group.color, theme) : theme.axis
  return {
    title: [rows[bar.row]?.name, group?.name].filter(Boolean).join(', '),
    rows: said.map(([name, value]) => ({ name, color, value, share: null, number: null, isHovered: false })),
    more: 0,
    total: null,
    isOfOne: true,
  }
}

/** How many bars in how many rows, over which time, and which one lasts longest. */
export function describeBars(gantt: Gantt, kind: string, around: Surroundings): string {
  const { bars, rows, groups, formats } = gantt
  const { say, locale } = around
  const span = spanOf(bars)
  if (!span) return say('picture.describe.empty', '{kind} with no data.', { kind })
  const write = formatter(formats.time, locale)
  const longest = bars.reduce((most, bar) => (bar.to - bar.from > most.to - most.from ? bar : most))
  const nameOf = ({ row, group }: Bar) => [rows[row]?.name, groups[group]?.name].filter(Boolean).join(', ')
  return say(
    'picture.describe.gantt',
    '{kind} with {count, plural, one {# bar} other {# bars}} in {rows, plural, one {# row} other {# rows}}, {from} to {to}. Longest: {name}, {duration}.',
    {
      kind,
      count: bars.length,
      rows: new Set(bars.map(({ row }) => row)).size,
      from: write(span[0]),
      to: write(span[1]),
      name: nameOf(longest),
      duration: longer(longest.to - longest.from),
    },
  )
}

/** Rows of the answer that are no bars; empty where all are. */
export function lostSaid({ lost: { open, backward } }: Gantt, { say }: Surroundings): string {
  return [
    open > 0 &&
      say(
        'picture.gantt.open',
        '{count, plural, one {# row is not shown because it has no start or no end.} other {# rows are not shown because they have no start or no end.}}',
        { count: open },
      ),
    backward > 0 &&
      say(
        'picture.gantt.backward',
        '{count, plural, one {# row is not shown because it ends before it starts.} other {# rows are not shown because they end before they start.}}',
        { count: backward },
      ),
  ]
    .filter(Boolean)
    .join(' ')
}
