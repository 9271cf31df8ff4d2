import { formatter } from '../shared/formats/format.ts'
import type { Plot } from './plot.ts'
import { fullFormat, titleOf, type SpecTooltip } from './tooltip.ts'
import type { Surroundings } from './surroundings.ts'

interface Extreme {
  plot: Plot
  at: number
  value: number
}

/**
 * The sentence that stands for the picture where it cannot be seen: what is measured, over which span, highest, lowest and
 * last value.
 */
export function describePlots(
  plots: Plot[],
  { kind, tooltip, isTime }: { kind: string; tooltip: SpecTooltip; isTime: boolean },
  around: Surroundings,
): string {
  const { say, locale } = around
  const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
  const { high, low, last } = extremes(plots)
  if (!high || !low || !last) return say('charts.describe.empty', '{kind} without data.', { kind })
  const place = ({ plot, at }: Extreme) =>
    [titleOf(plot.x[at] ?? null, tooltip, isTime, around), ...(plots.length > 1 ? [plot.name] : [])].join(', ')
  const isSlices = plots.some(({ items }) => items)
  const values = {
    kind,
    count: isSlices ? (plots[0]?.y.length ?? 0) : plots.length,
    names: plots
      .slice(0, 4)
      .map(({ name }) => name)
      .join(', '),
    high: write(high.value),
    highAt: place(high),
    low: write(low.value),
    lowAt: place(low),
  }
  if (isSlices)
    return say(
      'charts.describe.parts',
      '{kind} of {names} with {count} parts. Largest: {highAt}, {high}. Smallest: {lowAt}, {low}.',
      values,
    )
  const [first] = plots
  const span = {
    from: titleOf(first?.x[0] ?? null, tooltip, isTime, around),
    to: titleOf(first?.x.at(-1) ?? null, tooltip, isTime, around),
    last: write(last.value),
  }
  return say(
    'charts.describe.series',
    '{kind} of {names}, {from} to {to}. Highest: {high} ({highAt}). Lowest: {low} ({lowAt}). Last: {last}.',
    { ...values, ...span },
  )
}

function extremes(plots: Plot[]): { high?: Extreme; low?: Extreme; last?: Extreme } {
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
