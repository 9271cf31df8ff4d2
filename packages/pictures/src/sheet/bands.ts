import {
  chartsBelow,
  layoutGrid,
  layoutNode,
  mainContainer,
  rootId,
  type LayoutNode,
  type LayoutNodes,
  type PictureLayout,
} from '@parquetry/model'
import { layOutMarkdown, type FindImage, type TextBlock } from './markdown.ts'

/** An item positioned within a band, in CSS pixels. */
export type BandItem = { x: number; y: number; width: number; height: number } & (
  | { what: 'chart'; chart: number; name: string | null }
  | { what: 'text'; blocks: TextBlock[] }
  | { what: 'heading'; text: string; size: number }
  | { what: 'line' }
  | { what: 'unknown'; type: string }
)

/** A strip that is not split between pages. */
export interface Band {
  height: number
  items: BandItem[]
  /** The band must be on the same page as the next one. */
  isHeading: boolean
  /** The band contains only text. */
  isText: boolean
  /** The band begins a tab of the dashboard, which starts on a new page. */
  startsPage?: boolean
  /** Level of the tab that its heading names, from 0. */
  tabLevel?: number
}

const { unitPx, gutterPx, columns } = layoutGrid
const headings: Readonly<Record<string, number>> = { SMALL_HEADER: 16, MEDIUM_HEADER: 20, LARGE_HEADER: 26 }
const lineHeight = 1.4
const inner = 12

interface LayoutContext {
  nodes: LayoutNodes
  findImage: FindImage
}

/** Width of an SVG that does not define one. */
const defaultImageWidth = 300

/** Maximum number of characters of all images together: an image counts each time it is used. */
const maxImageCharacters = 32 << 20

/** Finds images by address: a file of the dashboard, followed by its display size. */
function createImageFinder(images: PictureLayout['images']): FindImage {
  let room = maxImageCharacters
  return (src, given) => {
    const [, hash = '', shown] = /\/files\/([0-9a-f]{64})(?:#(\d{1,5})x\d{1,5})?$/.exec(src) ?? []
    const image = Object.hasOwn(images, hash) ? images[hash] : undefined
    if (!image || image.base64.length > room) return undefined
    room -= image.base64.length
    const width = given ?? (Number(shown) || image.width || defaultImageWidth)
    const ratio = image.width && image.height ? image.height / image.width : 1
    return { href: `data:${image.media_type};base64,${image.base64}`, width, height: width * ratio }
  }
}

/**
 * Lays out a dashboard from top to bottom: its rows, and its tabs one after another under their names. Texts get the height that
 * they need, so that nothing is cut.
 * @param tabs  ids of the tabs to show, null for all
 * @param all   charts of the dashboard; those missing from the layout follow at the end of the main container, as on the page
 */
export function buildBands(
  { nodes, images }: Pick<PictureLayout, 'nodes' | 'images'>,
  width: number,
  tabs: readonly string[] | null,
  all: readonly number[],
): Band[] {
  const board: LayoutContext = { nodes, findImage: createImageFinder(images) }
  const placed = new Set(chartsBelow(nodes, rootId))
  const main = mainContainer(nodes)
  const unplaced = all.filter((id) => !placed.has(id))

  const below = (id: string, level: number): Band[] => {
    const node = layoutNode(nodes, id)
    if (!node) return []
    const own = node.children.flatMap((child) => bands(child, level))
    return id === main
      ? [...own, ...unplaced.map((chart) => band(chartItem(chart, null, { width, height: 400 })))]
      : own
  }
  const bands = (id: string, level: number): Band[] => {
    const node = layoutNode(nodes, id)
    if (!node) return []
    if (node.type === 'TABS')
      return node.children
        .filter((tab) => tabs === null || tabs.includes(tab))
        .flatMap((tab) => {
          const content = below(tab, level + 1)
          const text = layoutNode(nodes, tab)?.meta.text ?? ''
          if (text === '') return content
          return [{ ...heading(text, 18, width), tabLevel: level, startsPage: level === 0 }, ...content]
        })
    if (node.type === 'GRID' || node.type === 'TAB') return below(id, level)
    return [band(...buildItems(node, width, board))]
  }
  return below(rootId, 0).filter(({ items }) => items.length > 0)
}

const band = (...parts: BandItem[]): Band => ({
  height: Math.max(0, ...parts.map(({ y, height }) => y + height)),
  items: parts,
  isHeading: parts.length === 1 && parts[0]?.what === 'heading',
  isText: parts.every(({ what }) => what === 'text' || what === 'heading' || what === 'line'),
})

const heading = (text: string, size: number, width: number): Band =>
  band({ what: 'heading', text, size, x: 0, y: 0, width, height: Math.round(size * lineHeight) })

const chartItem = (
  chart: number,
  name: string | null,
  { width, height }: { width: number; height: number },
): BandItem => ({
  what: 'chart',
  chart,
  name,
  x: 0,
  y: 0,
  width,
  height,
})

/** Lays out a node and its descendants, starting at 0, 0. */
function buildItems(node: LayoutNode, width: number, board: LayoutContext): BandItem[] {
  const { meta, children, type } = node
  const height = (meta.height ?? 50) * unitPx
  if (type === 'CHART')
    return typeof meta.chartId === 'number'
      ? [chartItem(meta.chartId, meta.sliceNameOverride || null, { width, height })]
      : []
  if (type === 'HEADER') {
    const size = headings[meta.headerSize ?? ''] ?? 20
    return meta.text ? heading(meta.text, size, width).items : []
  }
  if (type === 'DIVIDER') return [{ what: 'line', x: 0, y: 0, width, height: 1 }]
  if (type === 'MARKDOWN') {
    const { blocks, height: needed } = layOutMarkdown(meta.code ?? '', width - 2 * inner, board.findImage)
    return [{ what: 'text', blocks, x: 0, y: 0, width, height: Math.max(needed + 2 * inner, meta.height ? height : 0) }]
  }
  if (type === 'ROW') return layOutRow(children, width, board)
  if (['COLUMN', 'TAB', 'TABS', 'GRID'].includes(type)) return stackItems(children, width, board)
  return [{ what: 'unknown', type, x: 0, y: 0, width, height: 48 }]
}

const moveItems = (parts: readonly BandItem[], x: number, y: number): BandItem[] =>
  parts.map((part) => ({ ...part, x: part.x + x, y: part.y + y }))

function layOutRow(children: readonly string[], width: number, board: LayoutContext): BandItem[] {
  const column = (width + gutterPx) / columns
  const found: BandItem[] = []
  let [x, y, next] = [0, 0, 0]
  for (const id of children) {
    const node = layoutNode(board.nodes, id)
    if (!node) continue
    const wanted = Math.min(columns, Math.max(1, node.meta.width ?? (node.type === 'CHART' ? 4 : columns)))
    const own = Math.min(width, wanted * column - gutterPx)
    // Items that do not fit in the row continue below it.
    if (x > 0 && x + own > width + 1) [x, y] = [0, next + gutterPx]
    const parts = moveItems(buildItems(node, own, board), x, y)
    found.push(...parts)
    next = Math.max(next, ...parts.map((part) => part.y + part.height))
    x += own + gutterPx
  }
  return found
}

function stackItems(children: readonly string[], width: number, board: LayoutContext): BandItem[] {
  const found: BandItem[] = []
  let y = 0
  for (const id of children) {
    const node = layoutNode(board.nodes, id)
    if (!node) continue
    const text = node.type === 'TAB' && node.meta.text ? heading(node.meta.text, 16, width).items : []
    const own = moveItems(buildItems(node, width, board), 0, text[0] ? text[0].height + gutterPx / 2 : 0)
    const parts = moveItems([...text, ...own], 0, y)
    found.push(...parts)
    y = Math.max(y, ...parts.map((part) => part.y + part.height + gutterPx))
  }
  return found
}
