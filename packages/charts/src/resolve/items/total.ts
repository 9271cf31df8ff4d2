import { formatter } from '../../shared/formats/format.ts'
import type { SpecSeries } from '../families/family.ts'
import { buildFootnote } from '../footnote.ts'
import type { RenderContext } from '../render-context.ts'

/** Settings of a series for its total. */
export interface Total {
  format: string
  /** False if the numbers must not be added up; the total then states this. */
  adds: boolean
}

/** Sum of all marks as ECharts' title: in the middle if that is free, otherwise below the chart. */
export function totalOption(
  { total }: SpecSeries,
  { sum, isMiddleFree }: { sum: number; isMiddleFree: boolean },
  around: RenderContext,
) {
  if (!total) return {}
  const { theme, locale, translate, height } = around
  const { format, adds } = total as Total
  const name = translate('picture.tip.total', 'Total')
  const valueText = adds ? formatter(format, locale)(sum) : translate('picture.tip.noSum', 'not additive')
  if (!isMiddleFree) return { title: buildFootnote(`${name}: ${valueText}`, around).title }
  const style = { fontFamily: theme.font, verticalAlign: 'top' }
  return {
    title: {
      text: name,
      subtext: valueText,
      left: 'center',
      top: height / 2 - 16,
      padding: 0,
      itemGap: 4,
      textStyle: { ...style, color: theme.text2, fontSize: 11, fontWeight: 400, lineHeight: 12 },
      subtextStyle: adds
        ? { ...style, color: theme.text, fontSize: 15, fontWeight: 600, lineHeight: 16 }
        : { ...style, color: theme.text2, fontSize: 11, fontWeight: 400, lineHeight: 12 },
    },
  }
}
