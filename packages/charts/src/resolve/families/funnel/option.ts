import { textColorOn } from '../../../shared/colors/color.ts'
import { formatter, nullText } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { formatStepShare, stepWidth, type FunnelStep } from './steps.ts'

const edge = 8
const size = 12
/** Minimum height of a step with a label. */
const minLabeledHeight = 15
/** Gap between a step and the label beside it. */
const labelGap = 16
/** Maximum characters of a label: no chart shows more, and measuring very long texts is slow. */
const maxLabelLength = 200

/** Steps in the order of the response, as wide as their numbers; labels are inside where they fit, otherwise beside. */
export function funnelOption(series: SpecSeries, { name, color, items }: Items<FunnelStep>, around: RenderContext) {
  const { theme, locale } = around
  const { data: _, key: __, tip: ___, label: given, ...own } = series
  const label = (given ?? {}) as ItemLabel
  const box = { left: edge, right: edge, top: edge, bottom: edge }
  const wide = Math.max(0, around.width - box.left - box.right)
  const high = (around.height - box.top - box.bottom) / (items.length || 1)
  const widest = items.reduce((most, step) => Math.max(most, stepWidth(step)), 0)
  const write = formatter(label.format ?? 'SMART_NUMBER', locale)
  const pixelsAt = (at: number) => (wide * stepWidth(items[at] ?? { name: '', value: 0 })) / (widest || 1)
  return {
    ...own,
    ...box,
    name,
    color: undefined,
    sort: 'none',
    min: 0,
    max: widest || 1,
    gap: high >= 8 ? 2 : 0,
    labelLine: { length: 8, lineStyle: { color: theme.axis } },
    data: items.map((step, index) => {
      const fill = toThemeColor(step.color ?? color, theme)
      const parts = { name: step.name, value: write(step.value), share: formatStepShare(step, around) ?? nullText }
      const text = itemText(label, parts).slice(0, maxLabelLength)
      // the step narrows towards the next one
      const middle = (pixelsAt(index) + pixelsAt(index + 1)) / 2
      const isInside = textWidth(text, size) + 2 * edge <= middle || middle > wide * 0.6
      const free = isInside ? middle - 2 * edge : (wide - middle) / 2 - labelGap
      const isShown = label.show !== false && high >= minLabeledHeight && free > 2 * size
      return {
        name: step.name,
        value: stepWidth(step),
        itemStyle: {
          color: fill,
          borderWidth: 0,
          opacity: isFaded(step.key ?? {}, around.selected) ? fadedOpacity : 1,
        },
        labelLine: { show: isShown && !isInside },
        label: {
          show: isShown,
          position: isInside ? 'inside' : 'right',
          color: isInside ? textColorOn(fill) : theme.text2,
          fontSize: size,
          fontFamily: theme.font,
          width: Math.max(0, free),
          overflow: 'truncate',
          // ECharts would interpret placeholders in a plain string
          formatter: () => text,
        },
      }
    }),
  }
}
