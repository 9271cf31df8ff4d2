import { layoutNode, layoutGrid, readLayout, rootId, withUnplacedCharts, type LayoutNode } from '@parquetry/model'

/** Position of a chart or another block in a thumbnail, in its units. */
export interface ThumbnailBox {
  x: number
  y: number
  width: number
  height: number
  /** Null for blocks that are not charts. */
  chartId: number | null
}

const margin = 8
const gap = 3
/** Thumbnail units for 8 px of a dashboard that is 1280 px wide. */
const perUnit = 0.9
const heights: Readonly<Record<string, number>> = { HEADER: 5, DIVIDER: 2, TABS: 5 }

/**
 * The first screen of a dashboard as boxes, 160 by 100: its layout with the first tab, cut off at the bottom.
 * @param charts  those that the layout does not place are added at its end
 */
export function dashboardBoxes(position_json: string | null, charts: Iterable<number>): ThumbnailBox[] {
  const nodes = withUnplacedCharts(readLayout(position_json).nodes, charts)
  const boxes: ThumbnailBox[] = []
  const heightOf = ({ meta }: LayoutNode) => (typeof meta.height === 'number' ? meta.height : 50) * perUnit

  /** @returns the bottom of the placed content */
  const placeNode = (id: string, x: number, y: number, width: number): number => {
    const node = layoutNode(nodes, id)
    if (!node || y > 100) return y
    const { type, children, meta } = node
    if (type === 'CHART' || type === 'MARKDOWN') {
      const height = heightOf(node)
      boxes.push({ x, y, width, height, chartId: type === 'CHART' ? (meta.chartId ?? null) : null })
      return y + height
    }
    if (type === 'ROW') {
      const column = (width + gap) / layoutGrid.columns
      let at = x
      return Math.max(
        y,
        ...children.map((child) => {
          const wide = layoutNode(nodes, child)?.meta.width ?? 4
          const bottom = placeNode(child, at, y, wide * column - gap)
          at += wide * column
          return bottom
        }),
      )
    }
    const below = type === 'TABS' ? children.slice(0, 1) : children
    return below.reduce(
      (bottom, child, index) => placeNode(child, x, bottom + (index > 0 ? gap : 0), width),
      y + (heights[type] ?? 0),
    )
  }
  placeNode(rootId, margin, margin, 160 - 2 * margin)
  return boxes.filter(({ y, width }) => y < 100 && width > 0)
}
