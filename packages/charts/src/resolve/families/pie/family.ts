import { PieChart } from 'echarts/charts'
import { TitleComponent } from 'echarts/components'
import { textColorOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { defineItemsFamily } from '../../items/items-family.ts'
import type { SpecItem } from '../family.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import { itemWeight } from '../../items/tooltip.ts'
import { totalOption } from '../../items/total.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'

const fontSize = 12

const sumWeights = (items: readonly SpecItem[]): number => items.reduce((sum, item) => sum + itemWeight(item), 0)

/** Pixels from a slice to its label: the line, and the space that ECharts reserves beside it. */
const lead = { out: 8, along: 8, beside: 18 }
/** Minimum scale of a pie that shrinks to make space for its labels. */
const minScale = 0.6

/**
 * Returns the configured radii, or smaller ones if labels would be cut, since a readable share matters more than a large pie.
 * @param texts labels of the slices, clockwise from the top; '' if there is none
 */
function fitRadius(
  radius: unknown,
  texts: readonly { text: string; share: number }[],
  { width, height }: { width: number; height: number },
): unknown {
  const radii = [radius].flat().map((each) => (typeof each === 'string' && each.endsWith('%') ? parseFloat(each) : NaN))
  const outer = ((radii.at(-1) ?? NaN) / 200) * Math.min(width, height)
  if (!(outer > 0) || radii.some(Number.isNaN)) return radius
  let turn = 0
  let room = outer
  for (const { text, share } of texts) {
    const aside = Math.abs(Math.sin(2 * Math.PI * (turn + share / 2)))
    turn += share
    if (!text || aside < 0.05) continue
    room = Math.min(room, (width / 2 - lead.along - lead.beside - textWidth(text, fontSize)) / aside - lead.out)
  }
  const part = Math.max(minScale, room / outer)
  return part >= 1 ? radius : radii.map((each) => `${Math.round(each * part * 10) / 10}%`)
}

/** Slices of a whole. */
export default defineItemsFamily({
  parts: [PieChart, TitleComponent],
  components: (series, { items }, around) =>
    totalOption(series, { sum: sumWeights(items), isMiddleFree: Array.isArray(series.radius) }, around),
  option(series, { name: title, color, items }, around) {
    const { theme, locale } = around
    const { data: _, key: __, total: ___, label: given, ...own } = series
    const label = (given ?? {}) as ItemLabel
    const whole = sumWeights(items)
    const write = formatter(label.format ?? 'SMART_NUMBER', locale)
    const percent = formatter(',.1~%', locale)
    const isOutside = label.position !== 'inside'
    const slices = items.map((item) => {
      const size = item.combinedSize ?? item.value
      const share = whole > 0 && size !== null ? size / whole : 0
      const isShown = label.show !== false && share * 100 >= (label.from ?? 0)
      const text = itemText(label, {
        name: item.name,
        value: item.combinedSize === undefined ? write(item.value) : '',
        share: percent(share),
      })
      return { item, size, share, isShown, text }
    })
    const outside = slices.map(({ text, share, isShown }) => ({ text: isShown && isOutside ? text : '', share }))
    return {
      ...own,
      radius: fitRadius(series.radius, outside, around),
      name: title,
      color: undefined,
      startAngle: 90,
      avoidLabelOverlap: true,
      minShowLabelAngle: 0,
      emphasis: { scaleSize: 4 },
      labelLine: {
        show: label.show !== false && isOutside,
        length: lead.out,
        length2: lead.along,
        lineStyle: { color: theme.axis },
        ...(series.labelLine as object),
      },
      data: slices.map(({ item, size, isShown, text }) => {
        const { name, key = {} } = item
        const fill = toThemeColor(item.color ?? color, theme)
        return {
          name,
          value: size,
          itemStyle: {
            color: fill,
            borderColor: theme.surface,
            borderWidth: 1.5,
            opacity: isFaded(key, around.selected) ? fadedOpacity : 1,
          },
          labelLine: { show: isShown && isOutside },
          label: {
            show: isShown,
            position: isOutside ? 'outside' : 'inside',
            color: isOutside ? theme.text2 : textColorOn(fill),
            fontSize,
            fontFamily: theme.font,
            formatter: text,
          },
        }
      }),
    }
  },
})
