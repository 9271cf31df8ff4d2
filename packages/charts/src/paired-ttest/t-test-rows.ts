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
  /** As it is written. */
  texts: { p: string; lift: string; verdict: string }
}

/** The groups of one table against the control. @param control place of a group; the first one where there is none */
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

/** A p-value is never zero: below what its digits can say it is less than their smallest. */
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
