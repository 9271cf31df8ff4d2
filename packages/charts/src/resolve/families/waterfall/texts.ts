import { formatter } from '../../../shared/formats/format.ts'
import { toThemeColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import { fullFormat, type SpecTooltip, type TooltipContent } from '../../tooltip.ts'
import type { WaterfallBar, WaterfallMarks } from './marks.ts'

/** Formats a change with exactly one sign, since formats may add it themselves. */
export const withSign =
  (write: (value: number | null) => string) =>
  (value: number | null): string =>
    `${value !== null && value > 0 ? '+' : ''}${write(value)}`.replace(/^\+\+/, '+')

/** Shows the change and the resulting total. */
export function buildWaterfallTooltip(
  { bars, names, colors, format }: WaterfallMarks,
  index: number,
  _: SpecTooltip,
  around: RenderContext,
): TooltipContent {
  const bar = bars[index]
  const write = formatter(fullFormat(format), around.locale)
  const row = (change: WaterfallBar['change'], value: string, number: number | null) => ({
    name: names[change],
    color: toThemeColor(colors[change], around.theme),
    value,
    share: null,
    number,
    isHovered: change === bar?.change,
  })
  const rows = bar
    ? [
        ...(bar.change === 'total' ? [] : [row(bar.change, withSign(write)(bar.value), bar.value)]),
        row('total', write(bar.to), bar.to),
      ]
    : []
  return { title: bar && bar.title !== names[bar.change] ? bar.title : '', rows, more: 0, total: null }
}

/** Note about totals that are not numbers of the measure; otherwise empty. */
export const buildWaterfallNote = ({ adds, measure }: WaterfallMarks, { translate }: RenderContext): string =>
  adds
    ? ''
    : translate(
        'picture.waterfall.ofShown',
        'Totals are sums of the values shown, because {measure} is not additive.',
        {
          measure,
        },
      )

/** Describes the range, the final total, and the largest increase and decrease. */
export function describeWaterfall(marks: WaterfallMarks, { kind }: { kind: string }, around: RenderContext): string {
  const { bars, measure, format } = marks
  const { translate, locale } = around
  const changes = bars.filter(({ change, value }) => change !== 'total' && value !== null)
  const [first] = changes
  const last = changes.at(-1)
  if (!first || !last) return translate('picture.describe.empty', '{kind} with no data.', { kind })
  const write = formatter(fullFormat(format), locale)
  const most = (sign: 1 | -1) =>
    changes.reduce((found, bar) => (sign * (bar.value ?? 0) > sign * (found.value ?? 0) ? bar : found))
  const valuesOf = (bar: WaterfallBar) => ({ value: withSign(write)(bar.value), at: bar.title })
  const [high, low] = [most(1), most(-1)]
  return [
    translate('picture.describe.waterfall', '{kind} of {name}, {from} to {to}. Total: {total}.', {
      kind,
      name: measure,
      from: first.title,
      to: last.title,
      total: write(last.to),
    }),
    ...((high.value ?? 0) > 0
      ? [translate('picture.describe.increase', 'Largest increase: {value} ({at}).', valuesOf(high))]
      : []),
    ...((low.value ?? 0) < 0
      ? [translate('picture.describe.decrease', 'Largest decrease: {value} ({at}).', valuesOf(low))]
      : []),
    buildWaterfallNote(marks, around),
  ]
    .filter(Boolean)
    .join(' ')
}
