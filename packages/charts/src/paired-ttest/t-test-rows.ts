import { numberAt, type Frame } from '@parquetry/frame'
import type { Translate } from '../resolve/text.ts'
import { findColumn } from '../shared/column.ts'
import { resolveLocale } from '../shared/formats/locale.ts'
import { nullText } from '../shared/formats/format.ts'
import { compareToControl, type Comparison } from './compare.ts'
import type { TTestGroup, TtestSpec } from './chart.ts'

export interface TTestRow extends Comparison {
  group: TTestGroup
  isControl: boolean
  isSignificant: boolean
  /** Formatted for display. */
  texts: { p: string; lift: string; verdict: string }
}

/**
 * Compares the groups of one table with the control. @param control index of a group; the first group if there is none at this
 * index
 */
export function buildTTestRows(
  { level, digits }: TtestSpec,
  groups: readonly TTestGroup[],
  control: number,
  { frame, say, locale }: { frame: Frame | undefined; say: Translate; locale: string },
): TTestRow[] {
  const valuesOf = ({ column }: TTestGroup): (number | null)[] => {
    const values = frame && findColumn(frame, column)
    return Array.from({ length: values ? frame.rows : 0 }, (_, row) => {
      const value = values ? numberAt(values, row) : null
      return value !== null && Number.isFinite(value) ? value : null
    })
  }
  const at = Math.min(control, groups.length - 1)
  const of = groups[at] ? valuesOf(groups[at]) : []
  const write = numbersIn(locale)
  return groups.map((group, index) => {
    const isControl = index === at
    const tested = compareToControl(valuesOf(group), of)
    const isSignificant = !isControl && tested.p !== null && tested.p <= level
    const verdict = isControl
      ? say('picture.ttest.control', 'Control')
      : tested.p === null
        ? nullText
        : isSignificant
          ? say('picture.ttest.yes', 'Yes')
          : say('picture.ttest.no', 'No')
    return {
      ...tested,
      group,
      isControl,
      isSignificant,
      texts: {
        p: isControl ? '' : write.p(tested.p, digits.p),
        lift: isControl ? '' : write.lift(tested.lift, digits.lift),
        verdict,
      },
    }
  })
}

/** A p-value is never shown as zero: below the displayed precision it is shown as less than the smallest value. */
function numbersIn(locale: string) {
  const { name } = resolveLocale(locale)
  const fixed = (value: number, places: number, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
    new Intl.NumberFormat(name, {
      minimumFractionDigits: places,
      maximumFractionDigits: places,
      signDisplay,
    }).format(value)
  return {
    p: (value: number | null, places: number) =>
      value === null
        ? nullText
        : value < 0.5 * 10 ** -places
          ? `< ${fixed(10 ** -places, places)}`
          : fixed(value, places),
    lift: (value: number | null, places: number) =>
      value === null ? nullText : fixed(100 * value, places, 'exceptZero'),
  }
}
