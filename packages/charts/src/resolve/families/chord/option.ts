import { shorten } from '../../../shared/formats/format.ts'
import { truncateText, round } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { relatedTo, type Flow } from '../../flow/marks.ts'
import { describeOmissions } from '../../flow/texts.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { buildFootnote } from '../../footnote.ts'
import { toThemeColor, outline } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { layOutRing, type Arc } from './layout.ts'

const size = 12
const lineHeight = 15
const edge = 8
/** Gap between the ring and a name. */
const gap = 6
const thickness = 12
/** Maximum share of the width for the names on each side. */
const maxNameShare = 0.26

const fullCircle = 2 * Math.PI
const toAngle = (turn: number) => fullCircle * turn - fullCircle / 4

/** Links below, the arcs of the nodes and their names above. */
export const chordOption = (_: SpecSeries, flow: Flow, around: RenderContext) =>
  customSeries(flow.name, flow.nodes.length + flow.links.length, (width, height) =>
    drawChord(flow, { ...around, width, height }),
  )

function drawChord(flow: Flow, around: RenderContext): CustomDrawing {
  const { nodes, links } = flow
  const { theme } = around
  const note = buildFootnote(describeOmissions(flow, around), around).height
  const [width, height] = [around.width - 2 * edge, around.height - 2 * edge - note]
  const texts = nodes.map(({ name }) =>
    truncateText(shorten(name.replaceAll('\n', ' ')), size, around.width * maxNameShare),
  )
  const widest = texts.reduce((most, text) => Math.max(most, textWidth(text, size)), 0)
  const radius = Math.max(12, Math.min(width / 2 - widest - gap, height / 2 - lineHeight - gap))
  const center = { x: around.width / 2, y: edge + height / 2 }
  const inner = radius - Math.min(thickness, radius / 4)
  const ring = layOutRing(flow)
  const isShown = findReadableNames(ring.nodes, radius + gap, center)

  const nameAt = (turn: number, text: string): GraphicElement => {
    const angle = toAngle(turn)
    const [along, down] = [Math.cos(angle), Math.sin(angle)]
    const [x, y] = [center.x + (radius + gap) * along, center.y + (radius + gap) * down]
    const align = Math.abs(along) < 0.08 ? 'center' : along > 0 ? 'left' : 'right'
    return {
      ...textShape(x, y, text, {
        size,
        fill: theme.text,
        font: theme.font,
        align,
        ...(align === 'center' && { verticalAlign: down > 0 ? 'top' : 'bottom' }),
      }),
      z2: 3,
    }
  }
  const arcs = nodes.map((node, index): GraphicElement[] => {
    const { from = 0, to = 0 } = ring.nodes[index] ?? {}
    const color = toThemeColor(node.color, theme)
    const { borderColor, borderWidth } = outline(color, theme) as { borderColor?: string; borderWidth?: number }
    const isFine = (to - from) * fullCircle * radius > 3
    const sector = {
      type: 'sector',
      z2: 2,
      shape: {
        cx: center.x,
        cy: center.y,
        r0: inner,
        r: radius,
        startAngle: toAngle(from),
        endAngle: toAngle(to),
      },
      style: { fill: color, ...(borderColor && isFine && { stroke: borderColor, lineWidth: borderWidth }) },
    }
    return isShown[index] ? [sector, nameAt((from + to) / 2, texts[index] ?? '')] : [sector]
  })
  const ribbons = links.map(({ source }, index): GraphicElement[] => {
    const ends = ring.links[index]
    if (!ends) return []
    return [
      {
        type: 'path',
        z2: 1,
        shape: { pathData: ribbonPath(ends, inner - 1, center) },
        style: { fill: toThemeColor(nodes[source]?.color ?? '', theme), opacity: theme.name === 'dark' ? 0.45 : 0.4 },
        emphasis: { style: { opacity: 0.8 } },
        blur: { style: { opacity: 0.08 } },
      },
    ]
  })
  return { marks: [...arcs, ...ribbons], beside: [], related: relatedTo(flow) }
}

/** Path along the ring at one end, through the middle, along the ring at the other end, and back. */
function ribbonPath(
  { source, target }: { source: Arc; target: Arc },
  r: number,
  { x: cx, y: cy }: { x: number; y: number },
) {
  const point = (turn: number) => {
    const angle = toAngle(turn)
    return `${round(cx + r * Math.cos(angle))} ${round(cy + r * Math.sin(angle))}`
  }
  const along = ({ from, to }: Arc) => `A${round(r)} ${round(r)} 0 ${to - from > 0.5 ? 1 : 0} 1 ${point(to)}`
  const middle = `Q${round(cx)} ${round(cy)}`
  return `M${point(source.from)}${along(source)}${middle} ${point(target.from)}${along(target)}${middle} ${point(source.from)}Z`
}

/** For each node, whether its name is shown: larger nodes first, without overlaps. */
function findReadableNames(arcs: readonly Arc[], r: number, { y: cy }: { y: number }): boolean[] {
  const sides: Record<'left' | 'right', number[]> = { left: [], right: [] }
  const shown = arcs.map(() => false)
  const order = [...arcs.keys()].toSorted((a, b) => arcLength(arcs[b]) - arcLength(arcs[a]) || a - b)
  for (const at of order) {
    const { from = 0, to = 0 } = arcs[at] ?? {}
    const angle = toAngle((from + to) / 2)
    const y = cy + r * Math.sin(angle)
    // names of both sides meet near the top and the bottom
    const near = Math.abs(Math.cos(angle)) < 0.2 ? [...sides.left, ...sides.right] : undefined
    const side = sides[Math.cos(angle) < 0 ? 'left' : 'right']
    if ((near ?? side).some((other) => Math.abs(other - y) < lineHeight)) continue
    side.push(y)
    shown[at] = true
  }
  return shown
}

const arcLength = (arc: Arc | undefined) => (arc ? arc.to - arc.from : 0)
