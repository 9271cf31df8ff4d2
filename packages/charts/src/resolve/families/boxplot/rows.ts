import { formatter } from '../../../shared/formats/format.ts'
import type { RenderContext } from '../../render-context.ts'
import { fullFormat, type TooltipRow } from '../../tooltip.ts'
import type { BoxItem } from './family.ts'

/** Meaning of the whiskers: a percentile is not a minimum or maximum. */
export type WhiskerType = 'tukey' | 'min/max' | readonly [low: number, high: number]

/** Tooltip rows of a box, from top to bottom. */
export function buildBoxRows(
  box: BoxItem,
  ends: WhiskerType,
  { translate, locale }: RenderContext,
): Omit<TooltipRow, 'color' | 'share'>[] {
  const write = formatter(fullFormat(box.format), locale)
  const count = formatter('FULL_NUMBER', locale)
  const row = (name: string, number: number | null, how = write) => ({
    name,
    value: how(number),
    number,
    isHovered: false,
  })
  const percentile = (of: number) => translate('picture.box.percentile', 'Percentile {of}', { of })
  const [low, high] =
    ends === 'min/max'
      ? [translate('picture.box.min', 'Min'), translate('picture.box.max', 'Max')]
      : ends === 'tukey'
        ? [translate('picture.box.lower', 'Lower whisker'), translate('picture.box.upper', 'Upper whisker')]
        : [percentile(ends[0]), percentile(ends[1])]
  return [
    row(high, box.max),
    row(translate('picture.box.q3', '3rd quartile'), box.q3),
    row(translate('picture.box.mean', 'Mean'), box.mean),
    { ...row(translate('picture.box.median', 'Median'), box.median), isHovered: true },
    row(translate('picture.box.q1', '1st quartile'), box.q1),
    row(low, box.min),
    row(translate('picture.box.count', 'Observations'), box.count, count),
    row(translate('picture.box.outliers', 'Outliers'), box.outliers.length, count),
  ]
}
