import { formatter } from '../../shared/formats/format.ts'
import type { RenderContext } from '../render-context.ts'
import { fullFormat, type SpecTooltip } from '../tooltip.ts'
import type { Items } from './items-family.ts'

/** Describes what is divided, the number of parts, and the largest and smallest of them. */
export function describeItems(
  { name, items }: Items,
  { kind, tooltip }: { kind: string; tooltip: SpecTooltip },
  { translate, locale }: RenderContext,
): string {
  const sized = items.flatMap((item) => (item.value === null ? [] : [{ name: item.name, value: item.value }]))
  const [first] = sized
  if (!first) return translate('picture.describe.empty', '{kind} with no data.', { kind })
  const high = sized.reduce((most, item) => (item.value > most.value ? item : most), first)
  const low = sized.reduce((least, item) => (item.value < least.value ? item : least), first)
  const write = formatter(fullFormat(tooltip.rows?.[0]?.format), locale)
  return translate(
    'picture.describe.parts',
    '{kind} of {names} with {count, plural, one {# part: {highAt}, {high}.} other {# parts. Largest: {highAt}, {high}. Smallest: {lowAt}, {low}.}}',
    {
      kind,
      names: name,
      count: items.length,
      highAt: high.name,
      high: write(high.value),
      lowAt: low.name,
      low: write(low.value),
    },
  )
}
