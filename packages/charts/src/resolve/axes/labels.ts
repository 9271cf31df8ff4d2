import { textColorOn } from '../../shared/colors/color.ts'
import { formatter } from '../../shared/formats/format.ts'
import type { SeriesPlacement } from '../families/family.ts'
import type { RenderContext } from '../render-context.ts'

/** Numbers beside marks. */
export interface SpecLabel extends Record<string, unknown> {
  show?: boolean
  format?: string
  position?: string
}

/** @param ground color of the mark, for labels inside it */
export function labelOption(
  label: unknown,
  { isFlipped }: SeriesPlacement,
  { theme, locale }: RenderContext,
  ground?: string,
): Record<string, unknown> {
  if (!label) return {}
  const { format, ...own } = label as SpecLabel
  const write = formatter(format ?? 'SMART_NUMBER', locale)
  const isInside = own.position === 'inside' && ground
  return {
    label: {
      color: isInside ? textColorOn(ground) : theme.text2,
      fontSize: 11,
      fontFamily: theme.font,
      ...own,
      formatter: ({ value }: { value: number | [number, number] }) => {
        const number = Array.isArray(value) ? value[isFlipped ? 0 : 1] : value
        return number === null || number === undefined ? '' : write(number)
      },
    },
    labelLayout: { hideOverlap: true },
  }
}

/** Position of the label of a negative number: at the free end of its bar, on the other side than those of positive ones. */
export const belowZero = (position: string | undefined): { position?: string } =>
  position === 'top' ? { position: 'bottom' } : position === 'right' ? { position: 'left' } : {}
