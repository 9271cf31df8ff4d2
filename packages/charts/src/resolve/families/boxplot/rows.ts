import { formatter } from '../../../shared/formats/format.ts'
import type { Surroundings } from '../../surroundings.ts'
import { fullFormat, type TipRow } from '../../tooltip.ts'
import type { Box } from './family.ts'

/** Where whiskers end: a percentile is no greatest number. */
export type Ends = 'tukey' | 'min/max' | readonly [low: number, high: number]

/** What a tooltip says of a box, from above to below. */
export function rowsOf(box: Box, ends: Ends, { say, locale }: Surroundings): Omit<TipRow, 'color' | 'share'>[] {
  const write = formatter(fullFormat(box.format), locale)
  const count = formatter('FULL_NUMBER', locale)
  const row = (name: string, number: number | null, how = write) => ({
    name,
    value: how(number),
    number,
    isHovered: false,
  })
  const percentile = (of: number) => say('picture.box.percentile', 'Percentile {of}', { of })
  const [low, high] =
    ends === 'min/max'
      ? [say('picture.box.min', 'Min'), say('picture.box.max', 'Max')]
      : ends === 'tukey'
        ? [say('picture.box.lower', 'Lower whisker'), say('picture.box.upper', 'Upper whisker')]
        : [percentile(ends[0]), percentile(ends[1])]
  return [
    row(high, box.max),
    row(say('picture.box.q3', '3rd quartile'), box.q3),
    row(say('picture.box.mean', 'Mean'), box.mean),
    { ...row(say('picture.box.median', 'Median'), box.median), isHovered: true },
    row(say('picture.box.q1', '1st quartile'), box.q1),
    row(low, box.min),
    row(say('picture.box.count', 'Observations'), box.count, count),
    row(say('picture.box.outliers', 'Outliers'), box.outliers.length, count),
  ]
}
