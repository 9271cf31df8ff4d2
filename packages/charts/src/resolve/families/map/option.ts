import { geoPath, type GeoProjection } from 'd3-geo'
import { formatter } from '../../../shared/formats/format.ts'
import { hasShape, type GeoRegion } from '../../../shared/geo/geo-map.ts'
import { createOutlinePath, type PixelBox } from '../../../shared/geo/projection.ts'
import { truncateText } from '../../../shared/svg-text.ts'
import { textWidth } from '../../../shared/text-width.ts'
import { customSeries, textShape, type CustomDrawing, type GraphicElement } from '../../items/custom-series.ts'
import { rampLegend } from '../../items/ramp-legend.ts'
import { buildFootnote } from '../../footnote.ts'
import { fadedOpacity, isFaded } from '../../paint.ts'
import type { RenderContext } from '../../render-context.ts'
import type { SpecSeries } from '../family.ts'
import { resolveRegionColor, legendColors } from './colors.ts'
import { layOutMap } from './layout.ts'
import type { MapRegionItem, RegionMarks } from './marks.ts'
import { describeMissingMap, buildMapNotes } from './texts.ts'

const edge = 8
const legendHeight = 24
const textSize = 11
/** Radius of the dot for places that would otherwise be too small to see. */
const dot = 2.5
const bubble = {
  least: 2,
  /** Maximum share of the map's height; the world is twice as wide as high. */
  most: 0.075,
  opacity: 0.7,
}
/** Stacking order: parts of a country in front of the whole, bubbles in front of all land. */
const front = { land: -1, group: 0, region: 1, dot: 2, bubble: 100 }

/** Places on their map, colored by their numbers, with bubbles at their centers. */
export const mapOption = (series: SpecSeries, places: RegionMarks, around: RenderContext) =>
  customSeries(places.name, places.items.length, (width, height) =>
    drawMap(series, places, { ...around, width, height }),
  )

function drawMap(series: SpecSeries, places: RegionMarks, around: RenderContext): CustomDrawing {
  const { theme, width, height } = around
  const { map, items } = places
  if (!map) {
    const look = { size: 14, fill: theme.text2, font: theme.font, align: 'center' as const }
    const message = truncateText(describeMissingMap(places, around), look.size, width - 2 * edge)
    return { marks: [], beside: [textShape(width / 2, height / 2, message, look)] }
  }
  const legend = series.hasLegend && items.length > 0 ? legendHeight : 0
  const foot = legend + buildFootnote(buildMapNotes(places, around), around).height
  const box = { x: edge, y: edge, width: width - 2 * edge, height: height - 2 * edge - foot }
  const { placed, frames } = layOutMap(places, box)
  const outlines = new Map<GeoProjection, ReturnType<typeof createOutlinePath>>()
  const drawn: Drawing = {
    places,
    around,
    placed,
    outline(region, projection) {
      const outline = outlines.get(projection) ?? createOutlinePath(projection)
      outlines.set(projection, outline)
      return outline(region.shape)
    },
  }
  const bubbles = series.bubbles ? drawBubbles(series, drawn) : []
  return {
    marks: items.map((item, index) => [...drawRegion(item, drawn), ...(bubbles[index] ?? [])]),
    beside: [
      ...frames.map((frame) => ({ type: 'rect', shape: pixels(frame), style: { fill: 'none', stroke: theme.border } })),
      ...drawEmptyRegions(drawn),
      ...(legend > 0 ? drawLegend(series, places, { ...box, y: box.y + box.height + edge }, around) : []),
    ],
  }
}

const pixels = ({ x, y, ...size }: PixelBox): PixelBox => ({ x: Math.round(x) + 0.5, y: Math.round(y) + 0.5, ...size })

interface Drawing {
  places: RegionMarks
  around: RenderContext
  placed(region: GeoRegion): GeoProjection | null
  outline(region: GeoRegion, projection: GeoProjection): string
}

/** Land without rows, as one shape. */
function drawEmptyRegions({ places: { map, items }, around: { theme }, placed, outline }: Drawing): GraphicElement[] {
  const taken = new Set(items.map(({ region }) => region))
  const outlines = (map?.regions ?? []).map((region) => {
    const projection = taken.has(region) ? null : placed(region)
    return projection ? outline(region, projection) : ''
  })
  const pathData = outlines.join('')
  const style = { fill: theme.grid, stroke: theme.surface, lineWidth: 0.5 }
  return pathData ? [{ type: 'path', silent: true, z2: front.land, shape: { pathData }, style }] : []
}

function drawRegion(item: MapRegionItem, { places, around, placed, outline }: Drawing): GraphicElement[] {
  const { theme, selected } = around
  const { region, value } = item
  const projection = placed(region)
  if (!projection) return []
  const opacity = isFaded(item.key ?? {}, selected) ? fadedOpacity : 1
  const style = {
    fill: resolveRegionColor(item, places, theme),
    stroke: value === null ? theme.axis : theme.surface,
    lineWidth: 0.5,
    opacity,
  }
  const emphasis = { style: { stroke: theme.text, lineWidth: 1.5 } }
  const pathData = hasShape(region) ? outline(region, projection) : ''
  const middle = isSpeck(region, pathData, projection) ? findCenter(region, projection) : null
  const z2 = places.map?.groups.includes(region) ? front.group : front.region
  return [
    ...(pathData ? [{ type: 'path', z2, shape: { pathData }, style, emphasis }] : []),
    ...(middle
      ? [{ type: 'circle', z2: front.dot, shape: { cx: middle[0], cy: middle[1], r: dot }, style, emphasis }]
      : []),
  ]
}

const findCenter = ({ at, shape }: GeoRegion, projection: GeoProjection): [number, number] | null =>
  at ? projection([...at]) : geoPath(projection).centroid(shape)

/** Returns true if a region is smaller than its dot would be. */
function isSpeck({ shape }: GeoRegion, pathData: string, projection: GeoProjection): boolean {
  if (pathData === '') return true
  // outlines with many corners are large enough
  if (pathData.length > 120) return false
  const [[left, top], [right, bottom]] = geoPath(projection).bounds(shape)
  return right - left < 2 * dot && bottom - top < 2 * dot
}

/** Bubbles sized by area; small ones are drawn in front of large ones. */
function drawBubbles(series: SpecSeries, { places: { items }, around, placed }: Drawing): GraphicElement[][] {
  const { theme, width, height, selected } = around
  const sizes = items.map(({ size }) => Math.max(0, size ?? 0))
  const largest = Math.max(0, ...sizes)
  const far = Math.min(Number(series.bubbles), Math.min(width / 2, height) * bubble.most)
  const rank = new Map(
    items
      .map((item, index) => ({ item, size: sizes[index] ?? 0 }))
      .toSorted((one, other) => other.size - one.size)
      .map(({ item }, index) => [item, index]),
  )
  return items.map((item, index): GraphicElement[] => {
    const size = sizes[index] ?? 0
    const projection = placed(item.region)
    const middle = size > 0 && projection ? findCenter(item.region, projection) : null
    if (!middle) return []
    const opacity = bubble.opacity * (isFaded(item.key ?? {}, selected) ? fadedOpacity : 1)
    return [
      {
        type: 'circle',
        z2: front.bubble + (rank.get(item) ?? 0),
        shape: { cx: middle[0], cy: middle[1], r: Math.max(bubble.least, far * Math.sqrt(size / largest)) },
        style: { fill: String(series.bubbleColor), stroke: theme.surface, lineWidth: 1, opacity },
        emphasis: { style: { stroke: theme.text, lineWidth: 1.5 } },
      },
    ]
  })
}

/** Colors between the lowest and the highest number, and the value of the largest bubble. */
function drawLegend(
  series: SpecSeries,
  { items, measures, ramp, range }: RegionMarks,
  place: { x: number; y: number; width: number },
  around: RenderContext,
): GraphicElement[] {
  const [colored, sized] = measures
  const largest = series.bubbles ? Math.max(0, ...items.map(({ size }) => size ?? 0)) : 0
  const bubbleLegend =
    sized && largest > 0
      ? around.translate('picture.map.bubbles', 'Largest bubble: {value}', {
          value: formatter(sized.format, around.locale)(largest),
        })
      : ''
  const width = place.width - (bubbleLegend ? textWidth(bubbleLegend, textSize) + 16 : 0)
  const [low, high] = (range ?? []).map(formatter(colored?.format ?? 'SMART_NUMBER', around.locale))
  const look = { size: textSize, fill: around.theme.tick, font: around.theme.font, align: 'right' as const }
  const isOne = range !== null && range[0] === range[1]
  return [
    ...(ramp !== null && low !== undefined && high !== undefined
      ? rampLegend(
          { low: isOne ? '' : low, high, colors: legendColors(ramp, around.theme, isOne) },
          { ...place, width },
          around,
        )
      : []),
    ...(bubbleLegend ? [textShape(place.x + place.width, place.y + 6, bubbleLegend, look)] : []),
  ]
}
