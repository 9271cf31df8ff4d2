import { shorten } from '../../../shared/formats/format.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { indexesByParent } from '../../levels/marks.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { describeTreeFaults, type TreeMarks, type TreeNode } from './marks.ts'

type Side = 'left' | 'top' | 'right' | 'bottom'
type Orient = 'LR' | 'RL' | 'TB' | 'BT'

interface TreeSeries extends SpecSeries {
  layout: 'orthogonal' | 'radial'
  orient?: Orient
  labels?: { node: Side; child: Side }
  symbolSize: number
}

const size = 12
const lineHeight = 15
/** Gap between a symbol and its label. */
const gap = 5
const edge = 8
/** Share of the outer radius available to names around the ring. */
const outside = 0.4

/** Nodes connected by lines. As many levels are expanded as fit; a click expands or collapses a node. */
export function treeOption(given: SpecSeries, marks: TreeMarks, around: RenderContext) {
  const { theme } = around
  const { items, isForest, name } = marks
  const series = given as TreeSeries
  const { data: _, faults: __, labels, color: ___, ...own } = series
  const note = buildFootnote(describeTreeFaults(marks, around), around).height
  const plot = { width: around.width, height: around.height - note }
  const isRadial = series.layout === 'radial'
  const isAcross = series.orient === 'LR' || series.orient === 'RL'
  const color = toThemeColor(marks.color, theme)
  const rows = isRadial ? Math.min(plot.width, plot.height) * 2.2 : isAcross ? plot.height - 2 * edge : plot.width
  const { open, ends: leaves } = openLevels(items, rows / lineHeight)
  const steps = open + (isForest ? 1 : 0)

  const along = isRadial ? Math.min(plot.width, plot.height) / 2 : isAcross ? plot.width : plot.height
  const isUpright = !isRadial && !isAcross
  /** Names that do not fit side by side are rotated. */
  const isTurned = isUpright && leaves > 1 && plot.width / leaves < 60
  const step = Math.max(
    24,
    isUpright && !isTurned
      ? plot.width / Math.max(1, leaves) - edge
      : along / (Math.max(1, open) + 0.6) - 2 * gap - series.symbolSize,
  )
  const isAtEnd = ({ isLeaf, depth }: TreeNode) => isLeaf || depth >= open
  // names around a ring may extend into free space
  const room = (item: TreeNode) => (isRadial && isAtEnd(item) ? Math.max(step, along * outside) : step)
  const textOf = ({ name: text }: TreeNode, width: number) =>
    truncateText(shorten(text.replaceAll('\n', ' ')), size, width)
  let texts = items.map((item) => textOf(item, room(item)))
  const widest = (of: (item: TreeNode) => boolean) =>
    items.reduce((most, item, index) => (of(item) ? Math.max(most, textWidth(texts[index] ?? '', size)) : most), 0)

  const labelOf = (position: Side | undefined, isTurnable: boolean) => ({
    ...(position && { position }),
    ...(isTurnable &&
      isTurned && { rotate: -90, verticalAlign: 'middle', align: position === 'top' ? 'right' : 'left' }),
    distance: gap,
    color: theme.text,
    textBorderColor: theme.surface,
    textBorderWidth: 2,
    fontSize: size,
    lineHeight,
    fontFamily: theme.font,
  })
  const turnable = labels?.child === 'top' || labels?.child === 'bottom'
  const box = isRadial
    ? radialBox(widest(isAtEnd))
    : orthogonalBox(series, {
        node: widest((item) => !isAtEnd(item)),
        child: widest(isAtEnd),
        isTurned: isTurned && turnable,
        hasBareTop: items.some(({ parent, isLeaf }) => parent === null && isLeaf),
      })
  if (isAcross) {
    const { first, last } = ends[series.orient ?? 'LR']
    const between = (along - box[first] - box[last]) / Math.max(1, open) - 2 * gap - series.symbolSize
    // only between two columns, not in the margins
    const isInside = ({ depth, isLeaf }: TreeNode) => depth < open && (depth > 0 || isLeaf)
    texts = items.map((item, index) => (isInside(item) ? textOf(item, Math.max(24, between)) : (texts[index] ?? '')))
  }
  const isOpen = items.every(({ depth }) => depth <= open)
  const sides = isForest && isOpen && !isRadial ? withoutJoint(box, series.orient ?? 'LR', { plot, open }) : box
  const places = indexesByParent(items)
  const nodeOf = (at: number): object => {
    const within = places.get(at)
    const item = items[at] as TreeNode
    return {
      name: item.name,
      value: item.value,
      // ECharts would interpret placeholders in a plain string
      label: {
        formatter: () => texts[at] ?? '',
        ...(within && isAtEnd(item) && !isRadial && { position: labels?.child }),
      },
      ...(isForest && item.parent === null && { lineStyle: { opacity: 0 } }),
      ...(within && { children: within.map(nodeOf) }),
    }
  }
  const tops = (places.get(null) ?? []).map(nodeOf)
  const joint = { name: '', symbol: 'none', label: { show: false }, children: tops }
  return {
    ...own,
    ...sides,
    bottom: sides.bottom + note,
    name,
    initialTreeDepth: isOpen ? -1 : steps,
    itemStyle: { color, borderColor: color, borderWidth: 1.5 },
    lineStyle: { color: theme.axis, width: 1.2, curveness: 0.5 },
    label: labelOf(labels?.node, false),
    leaves: { label: labelOf(labels?.child, turnable) },
    // disabled if all labels fit, because ECharts checks positions while nodes are still moving
    labelLayout: { hideOverlap: !isAcross || rows < 1.3 * leaves * lineHeight },
    blur: { itemStyle: { opacity: 0.4 }, lineStyle: { opacity: 0.3 }, label: { opacity: 0.5 } },
    // ECharts fails without any node
    data: tops.length === 1 ? tops : [joint],
  }
}

/** Number of expanded levels below the top: those whose nodes fit, and always the first one. */
function openLevels(items: readonly TreeNode[], room: number): { open: number; ends: number } {
  const deepest = items.reduce((most, { depth }) => Math.max(most, depth), 0)
  const onLevel = Array.from({ length: deepest + 1 }, () => ({ all: 0, leaves: 0 }))
  for (const { depth, isLeaf } of items) {
    const level = onLevel[depth]
    if (!level) continue
    level.all += 1
    if (isLeaf) level.leaves += 1
  }
  let leavesAbove = 0
  let found = { open: 0, ends: onLevel[0]?.all ?? 0 }
  for (const [depth, { all, leaves }] of onLevel.entries()) {
    const ends = leavesAbove + all
    if (depth > 1 && ends > room) break
    found = { open: depth, ends }
    leavesAbove += leaves
  }
  return found
}

interface Sides {
  left: number
  right: number
  top: number
  bottom: number
}

const ends: Record<Orient, { first: Side; last: Side }> = {
  LR: { first: 'left', last: 'right' },
  RL: { first: 'right', last: 'left' },
  TB: { first: 'top', last: 'bottom' },
  BT: { first: 'bottom', last: 'top' },
}

/** Moves the invisible root of a forest outside the box, so that it needs no space. */
function withoutJoint(
  box: Sides,
  orient: Orient,
  { plot, open }: { plot: { width: number; height: number }; open: number },
): Sides {
  const { first, last } = ends[orient]
  const along = orient === 'LR' || orient === 'RL' ? plot.width : plot.height
  // a single level is placed at the start
  if (open === 0) return { ...box, [first]: 0, [last]: along - box[first] }
  return { ...box, [first]: box[first] - Math.max(20, along - box[first] - box[last]) / open }
}

const radialBox = (label: number): Sides => {
  const around = edge + gap + label
  return { left: around, right: around, top: around, bottom: around }
}

/** Box with margins for the labels at its sides. */
function orthogonalBox(
  { orient = 'LR', labels, symbolSize }: TreeSeries,
  widths: { node: number; child: number; isTurned: boolean; hasBareTop: boolean },
): Sides {
  const { first, last } = ends[orient]
  const over = (of: 'node' | 'child', side: Side): number => {
    const isTurned = of === 'child' && widths.isTurned
    const [wide, high] = isTurned ? [lineHeight, widths.child] : [widths[of], lineHeight]
    const isBeside = labels?.[of] === side
    const own = side === 'left' || side === 'right' ? wide : high
    const isSideways = labels?.[of] === 'left' || labels?.[of] === 'right'
    const isAcross = (side === 'left' || side === 'right') !== isSideways
    return symbolSize / 2 + (isBeside ? own + gap : isAcross ? own / 2 : 0)
  }
  const widest = (side: Side) => Math.max(over('node', side), over('child', side))
  const room = (side: Side) =>
    edge +
    (side === first && !widths.hasBareTop ? over('node', side) : side === last ? over('child', side) : widest(side))
  return { left: room('left'), right: room('right'), top: room('top'), bottom: room('bottom') }
}
