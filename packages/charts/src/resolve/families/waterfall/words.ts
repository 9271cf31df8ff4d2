import { formatter } from '../../../shared/formats/format.ts'
import { drawnColor } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import { fullFormat, type SpecTooltip, type Tip } from '../../tooltip.ts'
import type { Bar, Bars } from './marks.ts'

/** A change with its sign, once: formats may write it themselves. */
export const signed =
  (write: (value: number | null) => string) =>
  (value: number | null): string =>
    `${value !== null && value > 0 ? '+' : ''}${write(value)}`.replace(/^\+\+/, '+')

/** The change, and where it leads. */
export function tipOf({ bars, names, colors, format }: Bars, at: number, _: SpecTooltip, around: Surroundings): Tip {
  const bar = bars[at]
  const write = formatter(fullFormat(format), around.locale)
  const row = (change: Bar['change'], value: string, number: number | null) => ({
    name: names[change],
    color: drawnColor(colors[change], around.theme),
    value,
    share: null,
    number,
    isHovered: change === bar?.change,
  })
  const rows = bar
    ? [
        ...(bar.change === 'total' ? [] : [row(bar.change, signed(write)(bar.value), bar.value)]),
        row('total', write(bar.to), bar.to),
      ]
    : []
  return { title: bar && bar.title !== names[bar.change] ? bar.title : '', rows, more: 0, total: null }
}

/** What a reader must know of the totals; empty where they are numbers of the measure. */
export const noteOf = ({ adds, measure }: Bars, { say }: Surroundings): string =>
  adds
    ? ''
    : say('picture.waterfall.ofShown', 'Totals are sums of the values shown, because {measure} is not additive.', {
        measure,
      })

/** From where to where it leads, and what adds and takes away most. */
export function describeBars(marks: Bars, { kind }: { kind: string }, around: Surroundings): string {
  const { bars, measure, format } = marks
  const { say, locale } = around
  const changes = bars.filter(({ change, value }) => change !== 'total' && value !== null)
  const [first] = changes
  const last = changes.at(-1)
  if (!first || !last) return say('picture.describe.empty', '{kind} with no data.', { kind })
  const write = formatter(fullFormat(format), locale)
  const most = (sign: 1 | -1) =>
    changes.reduce((found, bar) => (sign * (bar.value ?? 0) > sign * (found.value ?? 0) ? bar : found))
  const said = (bar: Bar) => ({ value: signed(write)(bar.value), at: bar.title })
  const [high, low] = [most(1), most(-1)]
  return [
    say('picture.describe.waterfall', '{kind} of {name}, {from} to {to}. Total: {total}.', {
      kind,
      name: measure,
      from: first.title,
      to: last.title,
      total: write(last.to),
    }),
    ...((high.value ?? 0) > 0
      ? [say('picture.describe.increase', 'Largest increase: {value} ({at}).', said(high))]
      : []),
    ...((low.value ?? 0) < 0 ? [say('picture.describe.decrease', 'Largest decrease: {value} ({at}).', said(low))] : []),
    noteOf(marks, around),
  ]
    .filter(Boolean)
    .join(' ')
}
