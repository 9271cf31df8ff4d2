import { inkOn } from '../../../shared/colors/color.ts'
import { mixed, rampColor } from '../../../shared/colors/ramps.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { itemText, type ItemLabel } from '../../items/labels.ts'
import type { Items } from '../../items/of-items.ts'
import { placesByParent } from '../../levels/marks.ts'
import { drawnColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { Surroundings } from '../../surroundings.ts'
import type { SpecSeries } from '../family.ts'
import type { Ring } from './marks.ts'

const size = 12
const lineHeight = 15
/** Radii of the picture, as parts of half its smaller side. */
const hole = 0.26
const edge = 0.96
/** How much nearer to the ground each ring is than the one inside it, and the most of it. */
const paler = { step: 0.2, most: 0.6 }
/** No picture shows more of a label; measuring the rest of a very long one would take its time. */
const longest = 200

/** The parts as ECharts lays them out: no zooming, a click is the dashboard's. */
export function sunburstOption(series: SpecSeries, { name, items }: Items<Ring>, around: Surroundings) {
  const { theme, locale } = around
  const { data: _, key: __, label: given, second: ___, ramp, total, ...own } = series
  const label = (given ?? {}) as ItemLabel
  const half = Math.min(around.width, around.height) / 2
  const inner = total ? hole : 0.12
  const thick = ((edge - inner) * half) / (1 + items.reduce((most, { depth }) => Math.max(most, depth), 0))
  const whole = wholeOf(items)
  const places = placesByParent(items)
  const write = formatter(label.format ?? 'SMART_NUMBER', locale)

  const colorOf = ({ color, depth, rate }: Ring): string => {
    if (typeof ramp === 'string') return rate === null ? theme.grid : rampColor(ramp, rate, theme.name)
    return mixed(drawnColor(color, theme), theme.surface, Math.min(paler.most, paler.step * depth))
  }
  /** Along the ray or, where it fits only so, along the ring. */
  const labelOf = (ring: Ring, fill: string) => {
    const share = ring.area / (whole || 1)
    const text = itemText(label, {
      name: ring.name,
      value: ring.together === undefined ? write(ring.value) : '',
      share: '',
    }).slice(0, longest)
    const arc = 2 * Math.PI * share * (inner * half + thick * (ring.depth + 0.5))
    const needed = textWidth(text, size) + 8
    const isAlong = needed > thick && arc > thick && thick >= lineHeight
    const room = (isAlong ? arc : thick) - 8
    const isShown = label.show !== false && share * 100 >= (label.from ?? 0) && room > 2 * size
    return {
      show: isShown && (isAlong ? thick : arc) >= lineHeight,
      rotate: isAlong ? 'tangential' : 'radial',
      color: inkOn(fill),
      fontSize: size,
      fontFamily: theme.font,
      width: Math.max(0, room),
      overflow: 'truncate',
      // as text ECharts would read places into it
      formatter: () => text,
    }
  }
  const nodeOf = (at: number): object => {
    const ring = items[at] as Ring
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
    // as the spec has them
    sort: null,
    itemStyle: { borderColor: theme.surface, borderWidth: 1 },
    emphasis: { focus: 'none' },
    data: (places.get(null) ?? []).map(nodeOf),
  }
}

export const wholeOf = (items: readonly Ring[]): number =>
  items.reduce((sum, { area, parent }) => (parent === null ? sum + area : sum), 0)
