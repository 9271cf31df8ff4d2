import { formatter } from '../../shared/formats/format.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, type SpecTooltip } from '../tooltip.ts'
import type { Plot } from './plot.ts'
import { formatWithRange } from './tooltip.ts'
import { formatPositionTitle } from './title.ts'

interface Extreme {
  plot: Plot
  at: number
  value: number
}

/** Text alternative of the chart: what is measured, the span, and the highest, lowest and last value. */
export function describePlots(
  all: readonly Plot[],
  { kind, tooltip, isTime }: { kind: string; tooltip: SpecTooltip; isTime: boolean },
  around: RenderContext,
): string {
  const { translate, locale } = around
  const plots = all.filter(({ range }) => !range)
  const [first] = plots
  const write = ({ plot, value }: Extreme) =>
    formatter(fullFormat(plot.format ?? tooltip.rows?.[0]?.format), locale)(value)
  const { high, low, last } = extremes(plots)
  if (!high || !low || !last) return translate('picture.describe.empty', '{kind} with no data.', { kind })
  const place = ({ plot, at }: Extreme) =>
    [formatPositionTitle(plot, at, { tooltip, isTime }, around), ...(plots.length > 1 ? [plot.name] : [])].join(', ')
  const [next] = all.filter(({ range }) => range)
  const end = next ? Math.max(...plots.map(({ y }) => y.findLastIndex((value) => value !== null))) : Infinity
  const to = Math.min(end, (first?.x.length ?? 0) - 1)
  const known = translate(
    'picture.describe.series',
    '{kind} of {names}, {from} to {to}. Highest: {high} ({highAt}). Lowest: {low} ({lowAt}). Last: {last}.',
    {
      kind,
      names: listNames(plots, translate),
      from: formatPositionTitle(first, 0, { tooltip, isTime }, around),
      to: formatPositionTitle(first, to, { tooltip, isTime }, around),
      high: write(high),
      highAt: place(high),
      low: write(low),
      lowAt: place(low),
      last: write(last),
    },
  )
  if (!next || next.y.length <= to + 1) return known
  const at = next.y.length - 1
  return [
    known,
    translate('picture.describe.forecast', 'Forecast for {at}: {value}.', {
      at: formatPositionTitle(next, at, { tooltip, isTime }, around),
      value: formatWithRange(next, at, formatter(fullFormat(next.format ?? tooltip.rows?.[0]?.format), locale)),
    }),
  ].join(' ')
}

/** Lists the first names and the number of remaining ones, since screen reader users cannot skim them. */
function listNames(plots: readonly Plot[], say: RenderContext['translate']): string {
  const names = plots.map(({ name }) => name)
  const left = names.length - maxNames
  return left > 1
    ? say('picture.describe.more', '{names} and {count, number} more', {
        names: names.slice(0, maxNames).join(', '),
        count: left,
      })
    : names.join(', ')
}
const maxNames = 4

function extremes(plots: readonly Plot[]): { high?: Extreme; low?: Extreme; last?: Extreme } {
  const found: { high?: Extreme; low?: Extreme; last?: Extreme } = {}
  for (const plot of plots)
    for (const [at, value] of plot.y.entries()) {
      if (value === null) continue
      const here = { plot, at, value }
      if (!found.high || value > found.high.value) found.high = here
      if (!found.low || value < found.low.value) found.low = here
      if (!found.last || (plot === plots[0] && at >= found.last.at)) found.last = here
    }
  return found
}
