import { formatter } from '../../../shared/formats/format.ts'
import { readItems, type Items } from '../../items/items-family.ts'
import type { ItemLabel } from '../../items/labels.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecItem, SpecSeries } from '../family.ts'

export interface FunnelStep extends SpecItem {
  /** Share of its base: the first step, the previous step or the total. Null without a usable base. */
  share?: number | null
  /** Parts shown in its tooltip. */
  tooltipParts: NonNullable<ItemLabel['parts']>
}

export function readFunnelSteps(series: SpecSeries): Items<FunnelStep> {
  const { items, ...marks } = readItems<FunnelStep>(series)
  const tooltipParts = (series.tip ?? ['name', 'value', 'share']) as FunnelStep['tooltipParts']
  return { ...marks, items: items.map((item) => ({ ...item, tooltipParts })) }
}

/** Width of a step in the unit of its value; 0 for negative numbers and nulls. */
export const stepWidth = ({ value }: SpecItem): number => Math.max(0, value ?? 0)

/** Formats the share; null if there is none. */
export const formatStepShare = (step: FunnelStep | undefined, { locale }: RenderContext): string | null =>
  typeof step?.share === 'number' ? formatter(',.1~%', locale)(step.share) : null
