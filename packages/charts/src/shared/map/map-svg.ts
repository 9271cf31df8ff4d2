import type { Frame } from '@parquetry/frame'
import { geoIdentity, geoPath, type GeoPermissibleObjects } from 'd3-geo'
import type { Spec } from '../../define.ts'
import { escapeHtml } from '../../resolve/text.ts'
import type { RenderContext } from '../../resolve/render-context.ts'
import { rampColor } from '../colors/ramps.ts'
import { truncateText as fittedText, round, svgText } from '../svg-text.ts'
import { textWidth } from '../text-width.ts'
import { fitViewport, isWholeWorld, pixelsPerMeter, createProjection, type Projection } from './camera.ts'
import { clusterer } from './clusters.ts'
import { heatBands, screenCells } from './density.ts'
import { detailForZoom, loadBaseMap } from './base-map.ts'
import type { CellsLayer, ClustersLayer, HeatLayer, LengthUnit, MapSpec } from './layers.ts'
import { buildMapLegend, type MapLegendEntry } from './legend.ts'
import { buildMarks } from './marks/build-marks.ts'
import type { ArcMarks, AreaMarks, Drawable, LineMarks, MarkGroup, PointMarks, WeightedMarks } from './marks/kinds.ts'
import { describeMap, listMapFootnotes } from './notes.ts'
import { cellAlpha, toCssColor, baseMapColors, toRgba } from './paint.ts'
import { splitRings, type Area } from './rings.ts'

/** Draws the map from above as SVG, without tilt and height: for images without a browser and when WebGL is not available. */
export default async function drawMap(given: Spec, frames: Record<string, Frame>, around: RenderContext) {
  const spec = given as MapSpec
  return drawMapSvg(spec, buildMarks(spec, frames, around.hidden), around)
}

export async function drawMapSvg(spec: MapSpec, drawable: Drawable, around: RenderContext) {
  const { theme, width, height, translate } = around
  const notes = listMapFootnotes(spec, drawable, translate)
  const room = { width, height: height - (notes.length > 0 ? noteLine : 0) }
  const view = spec.viewport ?? fitViewport(drawable.bounds, room)
  const camera = createProjection(view, room)
  const colors = baseMapColors(theme)
  const { land, borders } = await loadBaseMap(detailForZoom(camera.zoom))
  const shifts = isWholeWorld(view, room.width) ? [0] : listWorldShifts(camera, room)
  // A thumbnail does not need every border and island.
  const isSketch = width < sketchWidth
  const fine = isSketch ? 1.5 : 0.7
  const copies = (body: (shift: number) => string) => shifts.map(body).join('')
  const ground = copies((shift) => {
    const outlines = land.map((area) => areaPath(area, camera, { shift, room, fine })).join('')
    const lines = isSketch ? '' : borders.map((line) => linePath(line, camera, { shift, room, fine })).join('')
    return `<path d="${outlines}" fill="${colors.land}" fill-rule="evenodd" stroke="${colors.coast}" stroke-width=".5"/><path d="${lines}" fill="none" stroke="${colors.border}" stroke-width=".6"/>`
  })
  const draw: Draw = { camera, room, around }
  const marks = drawable.marks.map((each) => copies((shift) => drawMarkGroup(each, { ...draw, shift }))).join('')
  const legend = spec.legend
    ? legendBox(buildMapLegend(spec, drawable, around), spec.legend, { ...around, ...room })
    : ''
  const note =
    notes.length > 0
      ? svgText(8, height - 6, fittedText(notes.join(' '), 11, width - 16), { size: 11, fill: theme.text2 })
      : ''
  return {
    body: `<svg width="${width}" height="${room.height}"><rect width="${width}" height="${room.height}" fill="${colors.sea}"/>${ground}${marks}${legend}</svg>${note}`,
    describe: [describeMap(spec, drawable, translate), ...notes].join(' '),
  }
}

const noteLine = 20
const sketchWidth = 300

interface Draw {
  camera: Projection
  room: { width: number; height: number }
  around: RenderContext
}
/** Degrees by which a copy of the world is shifted. */
type Shifted = Draw & { shift: number }

/** Returns the visible copies of the world. */
function listWorldShifts({ project, scale }: Projection, { width, height }: Draw['room']): number[] {
  const [x, y] = project(0, 0)
  const [nextX, nextY] = project(360, 0)
  const reach = Math.hypot(width, height) / 2 + scale / 2
  return [-1080, -720, -360, 0, 360, 720, 1080].filter((shift) => {
    const part = shift / 360
    return Math.hypot(x + (nextX - x) * part - width / 2, y + (nextY - y) * part - height / 2) <= reach + scale / 2
  })
}

/** Pixels beyond the edge that are still drawn, because wide lines there would be visible. */
const beyond = 20

interface TraceOptions {
  shift: number
  room: Draw['room']
  /** Shorter steps in pixels are merged, and shapes that are smaller in total are omitted. */
  fine?: number
}

/** Converts a line to pixels; empty when it is outside the image. */
function tracePath(positions: Float64Array, { project }: Projection, { shift, room, fine = 0.5 }: TraceOptions) {
  const points: [number, number][] = []
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity]
  for (let index = 0; index < positions.length; index += 2) {
    const point = project(positions[index]! + shift, positions[index + 1]!)
    left = Math.min(left, point[0])
    right = Math.max(right, point[0])
    top = Math.min(top, point[1])
    bottom = Math.max(bottom, point[1])
    const last = points.at(-1)
    const isEnd = index + 2 >= positions.length
    if (last && !isEnd && Math.abs(last[0] - point[0]) + Math.abs(last[1] - point[1]) < fine) continue
    points.push(point)
  }
  const isTiny = fine > 0.5 && right - left < fine && bottom - top < fine
  const isOutside = right < -beyond || left > room.width + beyond || bottom < -beyond || top > room.height + beyond
  return isTiny || isOutside ? [] : points
}

/** Returns path data cut at the edge of the image. */
function cutAt({ width, height }: Draw['room'], shape: GeoPermissibleObjects): string {
  const frame = geoIdentity().clipExtent([
    [-beyond, -beyond],
    [width + beyond, height + beyond],
  ])
  return geoPath(frame).digits(1)(shape) ?? ''
}

function areaPath(area: Area, camera: Projection, how: TraceOptions): string {
  const coordinates = splitRings(area).flatMap((ring) => {
    const points = tracePath(ring, camera, how)
    return points.length > 3 ? [points] : []
  })
  return coordinates.length > 0 ? cutAt(how.room, { type: 'Polygon', coordinates }) : ''
}

function linePath(line: Float64Array, camera: Projection, how: TraceOptions): string {
  const coordinates = tracePath(line, camera, how)
  return coordinates.length > 1 ? cutAt(how.room, { type: 'LineString', coordinates }) : ''
}

/** Limits coordinates far outside, because paths with huge numbers are drawn incorrectly. */
const roundCoordinate = (value: number): number => Math.round(Math.max(-20_000, Math.min(20_000, value)) * 10) / 10

function drawMarkGroup(marks: MarkGroup, draw: Shifted): string {
  switch (marks.kind) {
    case 'points':
      return points(marks, draw)
    case 'lines':
      return lines(marks, draw)
    case 'areas':
      return areas(marks, draw)
    case 'arcs':
      return arcs(marks, draw)
    case 'clusters':
      return clusters(marks, draw)
    default:
      return draw.shift !== 0 ? '' : marks.kind === 'cells' ? cells(marks, draw) : heat(marks, draw)
  }
}

const toPixels = (length: number, unit: LengthUnit, latitude: number, { zoom }: Projection): number =>
  unit === 'pixels' ? length : length * pixelsPerMeter(latitude, zoom)

/** Above this number, points of the same color and size are drawn as one path, because viewers cannot open that many circles. */
const maxCircles = 5000

function points(
  { positions, radii, unit, minRadius, maxRadius, colors: layerColors, colorIndexes }: PointMarks,
  { camera, room, around, shift }: Shifted,
) {
  const colors = layerColors.map((each) => toCssColor(toRgba(each, around.theme)))
  const isMany = radii.length > maxCircles
  const paths = new Map<string, { color: string; radius: number; places: Set<string> }>()
  const circles: string[] = []
  for (let index = 0; index < radii.length; index++) {
    const latitude = positions[2 * index + 1]!
    const [x, y] = camera.project(positions[2 * index]! + shift, latitude)
    const radius = Math.min(maxRadius, Math.max(minRadius, toPixels(radii[index]!, unit, latitude, camera)))
    if (x < -radius || y < -radius || x > room.width + radius || y > room.height + radius) continue
    const color = colors[colorIndexes[index]!]!
    if (!isMany) {
      circles.push(`<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${color}"/>`)
      continue
    }
    const width = Math.max(1, Math.round(radius))
    const key = `${color} ${width}`
    const path = paths.get(key) ?? { color, radius: width, places: new Set<string>() }
    path.places.add(`M${Math.round(x)} ${Math.round(y)}h.01`)
    paths.set(key, path)
  }
  for (const { color, radius, places } of paths.values())
    circles.push(
      `<path d="${[...places].join('')}" fill="none" stroke="${color}" stroke-width="${2 * radius}" stroke-linecap="round"/>`,
    )
  return circles.join('')
}

function lines(
  { lines: all, colors: layerColors, colorIndexes, width, unit }: LineMarks,
  { camera, room, around, shift }: Shifted,
): string {
  const colors = layerColors.map((each) => toCssColor(toRgba(each, around.theme)))
  return all
    .map((line, index) => {
      const path = linePath(line, camera, { shift, room })
      const wide = Math.max(1, toPixels(width, unit, line[1] ?? 0, camera))
      return (
        path && `<path d="${path}" fill="none" stroke="${colors[colorIndexes[index]!]}" stroke-width="${round(wide)}"/>`
      )
    })
    .join('')
}

function areas(marks: AreaMarks, { camera, room, around, shift }: Shifted): string {
  const { areas: all, colors: layerColors, colorIndexes, stroke, isFilled, width, unit } = marks
  const colors = layerColors.map((each) => toCssColor(toRgba(each, around.theme)))
  const edge = stroke && toCssColor(toRgba(stroke, around.theme))
  return all
    .map((area, index) => {
      const path = areaPath(area, camera, { shift, room })
      if (!path) return ''
      const wide = Math.max(0.5, toPixels(width, unit, area.positions[1] ?? 0, camera))
      const outline = edge ? ` stroke="${edge}" stroke-width="${round(wide)}"` : ''
      return `<path d="${path}" fill="${isFilled ? colors[colorIndexes[index]!] : 'none'}" fill-rule="evenodd"${outline}/>`
    })
    .join('')
}

/** Number of pieces of an arc, each with a color between those of its ends. */
const arcPieces = 4
/** Straight steps per piece. */
const pieceSteps = 4

/** Draws arcs, which are straight lines from above, slightly bent so that the two directions can be distinguished. */
function arcs(marks: ArcMarks, { camera, around, shift, room }: Shifted): string {
  const { sources, targets, colors: layerColors, colorIndexes, target, isOneColor, width } = marks
  const [colors, end] = [layerColors.map((each) => toRgba(each, around.theme)), toRgba(target, around.theme)]
  return Array.from(colorIndexes, (own, index) => {
    const [x, y] = camera.project(sources[2 * index]! + shift, sources[2 * index + 1]!)
    const [toX, toY] = camera.project(targets[2 * index]! + shift, targets[2 * index + 1]!)
    const isSeen =
      Math.max(x, toX) > 0 && Math.min(x, toX) < room.width && Math.max(y, toY) > 0 && Math.min(y, toY) < room.height
    if (!isSeen) return ''
    const [bentX, bentY] = [(x + toX) / 2 + (toY - y) * 0.12, (y + toY) / 2 - (toX - x) * 0.12]
    const place = (part: number) => {
      const rest = 1 - part
      const along = (from: number, bent: number, to: number) =>
        rest * rest * from + 2 * rest * part * bent + part * part * to
      return `${roundCoordinate(along(x, bentX, toX))} ${roundCoordinate(along(y, bentY, toY))}`
    }
    const color = colors[own]!
    const pieces = isOneColor ? 1 : arcPieces
    const steps = (arcPieces * pieceSteps) / pieces
    return Array.from({ length: pieces }, (_, piece) => {
      const part = pieces === 1 ? 0 : piece / (pieces - 1)
      const mixed = color.map((value, channel) => Math.round(value + (end[channel]! - value) * part)) as typeof color
      const points = Array.from({ length: steps + 1 }, (_step, step) =>
        place((piece * steps + step) / (pieces * steps)),
      )
      return `<path d="M${points.join('L')}" fill="none" stroke="${toCssColor(mixed)}" stroke-width="${round(width)}"/>`
    }).join('')
  }).join('')
}

function clusters(marks: WeightedMarks, { camera, around, shift, room }: Shifted): string {
  const layer = marks.layer as ClustersLayer
  const color = toCssColor(toRgba(layer.color, around.theme))
  return clusterer(
    marks,
    layer,
    around.locale,
  )(camera.zoom)
    .map(({ longitude, latitude, radius, text }) => {
      const [x, y] = camera.project(longitude + shift, latitude)
      if (x < -radius || y < -radius || x > room.width + radius || y > room.height + radius) return ''
      const label =
        text &&
        svgText(x, y + 4, fittedText(text, 11, 2 * radius), { size: 11, fill: '#fff', weight: 500, anchor: 'middle' })
      return `<circle cx="${round(x)}" cy="${round(y)}" r="${round(radius)}" fill="${color}"/>${label}`
    })
    .join('')
}

function cells(marks: WeightedMarks, { camera, around, room }: Draw): string {
  const layer = marks.layer as CellsLayer
  const found = screenCells(marks, camera, layer.cellSize, room)
  const highest = found.reduce((high, { value }) => Math.max(high, value), 0)
  return found
    .map(({ x, y, value }) => {
      const color = toCssColor(
        toRgba({ ...layer.color, alpha: cellAlpha(value / (highest || 1), layer) }, around.theme),
      )
      return `<rect x="${x}" y="${y}" width="${layer.cellSize - 1}" height="${layer.cellSize - 1}" fill="${color}"/>`
    })
    .join('')
}

function heat(marks: WeightedMarks, { camera, around, room }: Draw): string {
  const { scheme, radius } = marks.layer as HeatLayer
  return heatBands(marks, camera, radius, room)
    .map(({ at, rings }) => {
      const path = rings
        .map((ring) => `M${ring.map(([x, y]) => `${roundCoordinate(x!)} ${roundCoordinate(y!)}`).join('L')}Z`)
        .join('')
      const color = rampColor(scheme, 0.2 + 0.8 * at, around.theme.name)
      return path && `<path d="${path}" fill="${color}" fill-opacity=".45" fill-rule="evenodd"/>`
    })
    .join('')
}

const legendLine = 18

function legendBox(
  entries: readonly MapLegendEntry[],
  corner: string,
  { theme, width, height }: RenderContext,
): string {
  const maxEntries = Math.floor((height - 40) / legendLine)
  if (entries.length === 0 || maxEntries < 1) return ''
  const shown = entries.length > maxEntries ? entries.slice(0, maxEntries - 1) : entries
  const lines = [...shown, ...(shown.length < entries.length ? [{ name: '…', color: 'none' }] : [])]
  const widest = Math.min(width / 3, Math.max(...lines.map(({ name }) => textWidth(name.slice(0, 200), 11))))
  const box = { width: widest + 34, height: lines.length * legendLine + 8 }
  const x = corner.endsWith('r') ? width - box.width - 8 : 8
  const y = corner.startsWith('b') ? height - box.height - 8 : 8
  const rows = lines.map(({ name, color }, index) => {
    const top = y + 8 + index * legendLine
    return `<rect x="${round(x + 8)}" y="${top}" width="10" height="10" rx="2" fill="${escapeHtml(color)}"/>${svgText(x + 24, top + 9, fittedText(name, 11, widest), { size: 11, fill: theme.text })}`
  })
  return `<rect x="${round(x)}" y="${y}" width="${round(box.width)}" height="${box.height}" rx="4" fill="${theme.raised}" fill-opacity=".92" stroke="${theme.border}"/>${rows.join('')}`
}
