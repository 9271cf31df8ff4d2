import { formatter } from '../../../shared/formats/format.ts'
import { readItems, type Items } from '../../items/of-items.ts'
import type { ItemLabel } from '../../items/labels.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

export interface Step extends SpecItem {
  /** Of the step that the chart counts from; null where that is nothing. */
  share?: number | null
  /** What its tooltip says. */
  said: NonNullable<ItemLabel['parts']>
}

export function readSteps(series: SpecSeries): Items<Step> {
  const { items, ...marks } = readItems<Step>(series)
  const said = (series.tip ?? ['name', 'value', 'share']) as Step['said']
  return { ...marks, items: items.map((item) => ({ ...item, said })) }
}

/** A width cannot be negative: such a step has none. */
export const widthOf = ({ value }: SpecItem): number => Math.max(0, value ?? 0)

/** The share in words; null where there is none. */
export const percentOf = (step: Step | undefined, { locale }: Surroundings): string | null =>
  typeof step?.share === 'number' ? formatter(',.1~%', locale)(step.share) : null
