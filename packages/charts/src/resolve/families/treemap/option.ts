import { textColorOn } from '../../../shared/colors/color.ts'
import { formatter } from '../../../shared/formats/format.ts'
import { textWidth } from '../../../shared/text-width.ts'
import type { Items } from '../../items/items-family.ts'
import { toThemeColor, fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { areaOf, indexesByParent, sumLeafAreas, type HierarchyItem } from '../../levels/marks.ts'

interface TreemapLabel {
  show?: boolean
  format?: string
  parts?: ('name' | 'value')[]
}

const bandHeight = 22
const fontSize = 12
const padding = 8
/**
 * Assumed ratio of the side of a square with the part's area to the part's width. Fits most parts for names, nearly all for
 * numbers.
 */
const assumedSlimness = { name: 1.4, value: 2 }
/** Minimum width of a truncated name. */
const minNameWidth = 24

/** The parts, laid out by ECharts without zooming and breadcrumbs, because the dashboard handles clicks. */
export function treemapOption(series: SpecSeries, { name, items }: Items<HierarchyItem>, around: RenderContext) {
  const { theme, width, height, locale } = around
  const { data: _, key: __, label: given, upperLabel, ...own } = series
  const label = (given ?? {}) as TreemapLabel
  const hasBands = (upperLabel as TreemapLabel | undefined)?.show !== false
  const formatValue = formatter(label.format ?? 'SMART_NUMBER', locale)
  const pixelsPerUnit = (width * height) / (sumLeafAreas(items) || 1)
  const childIndexes = indexesByParent(items)
  const has = (what: 'name' | 'value') => (label.parts ?? ['name']).includes(what)
  /** A name may be truncated, but a number is omitted if it does not fit, because missing digits would go unnoticed. */
  const textOf = (part: HierarchyItem, side: number, between: string) => {
    const room = { name: side / assumedSlimness.name - 2 * padding, value: side / assumedSlimness.value - 2 * padding }
    const value = has('value') && part.combinedSize === undefined ? formatValue(part.value) : ''
    const line = has('name') && between !== '\n' ? `${part.name}${between}${value}` : value
    const valueFits = value !== '' && textWidth(line, fontSize) <= room.value
    const name = has('name') && Math.min(minNameWidth, textWidth(part.name, fontSize)) <= room.name ? part.name : ''
    return [name, valueFits ? value : ''].filter(Boolean).join(between)
  }

  const nodeOf = (part: HierarchyItem, at: number): object => {
    const color = toThemeColor(part.color, theme)
    const side = Math.sqrt(areaOf(part) * pixelsPerUnit)
    const { isLeaf } = part
    const text = isLeaf ? textOf(part, side, '\n') : textOf(part, side, '  ')
    return {
      name: part.name,
      value: areaOf(part),
      itemStyle: {
        color,
        borderColor: theme.surface,
        borderWidth: isLeaf ? 0 : 1,
        gapWidth: 1,
        opacity: isFaded(part.key ?? {}, around.selected) ? fadedOpacity : 1,
      },
      label: {
        show: isLeaf && label.show !== false && text !== '',
        color: textColorOn(color),
        // ECharts would interpret placeholders in a plain string
        formatter: () => text,
      },
      upperLabel: { show: hasBands && text !== '' && side >= 2 * bandHeight, formatter: () => text },
      ...(!isLeaf && { children: childrenOf(at) }),
    }
  }
  const childrenOf = (parent: number | null): object[] =>
    (childIndexes.get(parent) ?? []).map((at) => nodeOf(items[at] as HierarchyItem, at))

  return {
    ...own,
    name,
    left: 0,
    right: 0,
    top: 0,
    bottom: 0,
    roam: false,
    nodeClick: false,
    breadcrumb: { show: false },
    itemStyle: { gapWidth: 2, borderWidth: 0, borderColor: theme.surface },
    label: {
      position: [0, 0],
      padding: [7, padding],
      fontSize,
      lineHeight: 16,
      fontFamily: theme.font,
      overflow: 'truncate',
    },
    upperLabel: {
      height: bandHeight,
      color: theme.text,
      fontSize,
      fontFamily: theme.font,
      overflow: 'truncate',
    },

    data: childrenOf(null),
  }
}
