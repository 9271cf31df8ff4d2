import { textColorOn } from '../../../shared/colors/color.ts'
import { mixColors, rampColor } from '../../../shared/colors/ramps.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'
import type { Items } from '../../items/items-family.ts'
import { indexesByParent } from '../../levels/marks.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import type { RingSegment } from './marks.ts'

const size = 12
const lineHeight = 15
/** Inner and outer radius, as shares of half the smaller side of the chart. */
const hole = 0.26
const edge = 0.96
/** How far each ring is mixed towards the background relative to the inner one, and the maximum. */
const paler = { step: 0.2, most: 0.6 }
/** Maximum characters of a label: no chart shows more, and measuring very long texts is slow. */
const maxLabelLength = 200

/** The parts, laid out by ECharts; clicks do not zoom because the dashboard handles them. */
export function sunburstOption(series: SpecSeries, { name, items }: Items<RingSegment>, around: RenderContext) {
  const { theme, locale } = around
  const { data: _, key: __, label: given, second: ___, ramp, total, ...own } = series
  const label = (given ?? {}) as ItemLabel
  const half = Math.min(around.width, around.height) / 2
  const inner = total ? hole : 0.12
  const thick = ((edge - inner) * half) / (1 + items.reduce((most, { depth }) => Math.max(most, depth), 0))
  const whole = sumRootAreas(items)
  const places = indexesByParent(items)
  const write = formatter(label.format ?? 'SMART_NUMBER', locale)

  const colorOf = ({ color, depth, rate }: RingSegment): string => {
    if (typeof ramp === 'string') return rate === null ? theme.grid : rampColor(ramp, rate, theme.name)
    return mixColors(toThemeColor(color, theme), theme.surface, Math.min(paler.most, paler.step * depth))
  }
  /** Label along the radius, or along the ring if it only fits there. */
  const labelOf = (ring: RingSegment, fill: string) => {
    const share = ring.area / (whole || 1)
    const text = itemText(label, {
      name: ring.name,
      value: ring.combinedSize === undefined ? write(ring.value) : '',
      share: '',
    }).slice(0, maxLabelLength)
    const arc = 2 * Math.PI * share * (inner * half + thick * (ring.depth + 0.5))
    const needed = textWidth(text, size) + 8
    const isAlong = needed > thick && arc > thick && thick >= lineHeight
    const room = (isAlong ? arc : thick) - 8
    const isShown = label.show !== false && share * 100 >= (label.from ?? 0) && room > 2 * size
    return {
      show: isShown && (isAlong ? thick : arc) >= lineHeight,
      rotate: isAlong ? 'tangential' : 'radial',
      color: textColorOn(fill),
      fontSize: size,
      fontFamily: theme.font,
      width: Math.max(0, room),
      overflow: 'truncate',
      // ECharts would interpret placeholders in a plain string
      formatter: () => text,
    }
  }
  const nodeOf = (at: number): object => {
    const ring = items[at] as RingSegment
    const fill = colorOf(ring)
    const within = places.get(at)
    return {
      name: ring.name,
      value: ring.area,
      itemStyle: { color: fill, opacity: isFaded(ring.key ?? {}, around.selected) ? fadedOpacity : 1 },
      label: labelOf(ring, fill),
      ...(within && { children: within.map(nodeOf) }),
    }
  }
  return {
    ...own,
    name,
    radius: [`${inner * 100}%`, `${edge * 100}%`],
    nodeClick: false,
    // keeps the order of the spec
    sort: null,
    itemStyle: { borderColor: theme.surface, borderWidth: 1 },
    emphasis: { focus: 'none' },
    data: (places.get(null) ?? []).map(nodeOf),
  }
}

export const sumRootAreas = (items: readonly RingSegment[]): number =>
  items.reduce((sum, { area, parent }) => (parent === null ? sum + area : sum), 0)
