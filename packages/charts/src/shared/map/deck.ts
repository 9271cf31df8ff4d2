import { Deck, MapView, WebMercatorViewport, type Layer, type PickingInfo } from '@deck.gl/core'
import { ArcLayer, PathLayer, ScatterplotLayer, SolidPolygonLayer, TextLayer } from '@deck.gl/layers'
import { HeatmapLayer, ScreenGridLayer } from '@deck.gl/aggregation-layers'
import type { MapTiles } from '@parquetry/model'
import type { ChartTheme } from '../../resolve/theme.ts'
import { rampColor } from '../colors/ramps.ts'
import { parseColor } from '../colors/color.ts'
import { isWholeWorld, mostZoom } from './camera.ts'
import { clusterer, type Cluster } from './clusters.ts'
import { detailOf, groundOf, type Ground } from './ground.ts'
import type { CellsLayer, ClustersLayer, HeatLayer, Viewport } from './layers.ts'
import type { Arcs, Areas, Lines, Marks, Points, Weighed } from './marks.ts'
import { cellAlpha, cellSteps, groundOfTheme, rgbaOf, type Rgba } from './paint.ts'
import { ringsOf } from './rings.ts'
import { openTiles, type Tiles } from './tile-layers.ts'

/** A mark under the pointer: which of the marks that were given, and which of its own. */
export interface Pointed {
  marks: Marks
  at: number
  /** Of marks that the picture itself makes: what they stand for. */
  value?: { count: number; value: number | null }
  x: number
  y: number
}

export interface MapEvents {
  onHover: (pointed: Pointed | null) => void
  onClick: (pointed: Pointed | null, kind: 'click' | 'menu', event: MouseEvent) => void
  onView: (view: Viewport) => void
  /** WebGL is gone, or never was there. */
  onLost: (error: Error) => void
}

export interface OpenMap {
  /** What lies between the land and the marks; null for nothing. */
  lay: (tiles: MapTiles | null) => void
  draw: (marks: readonly Marks[], theme: ChartTheme, locale: string) => void
  look: (view: Viewport, options?: { isSmooth?: boolean }) => void
  close: () => void
}

/** Layers are made when marks, theme or the level of detail change; a move of the map makes none. */
export function openMap(parent: HTMLDivElement, first: Viewport, events: MapEvents): OpenMap {
  let view = first
  let given: { marks: readonly Marks[]; theme: ChartTheme; locale: string } | null = null
  let ground: Ground | null = null
  let detail = ''
  let layers: readonly (Layer | Layer[])[] = []
  let marksOfLayer = new Map<string, Marks>()
  let clusterOf = new Map<Marks, (zoom: number) => Cluster[]>()
  let shown = new Map<string, Cluster[]>()
  let level = Number.NaN
  let tiles: Tiles | null = null
  let shownTiles: readonly Layer[] = []
  let isOnce = false
  let isClosed = false

  const deck = new Deck<MapView>({
    parent,
    views: worlds,
    initialViewState: limited(first),
    controller: { doubleClickZoom: true, touchRotate: true, keyboard: false, inertia: 150 },
    style: { position: 'absolute', inset: '0' },
    useDevicePixels: Math.min(2, window.devicePixelRatio || 1),
    pickingRadius: 4,
    onResize: () => refresh(),
    // The figure around it has the keys.
    onLoad: () => parent.querySelectorAll<HTMLElement>('[tabindex]').forEach((each) => (each.tabIndex = -1)),
    getCursor: ({ isDragging, isHovering }) => (isDragging ? 'grabbing' : isHovering ? 'pointer' : 'grab'),
    onViewStateChange: ({ viewState, interactionState }) => {
      view = viewportOf(viewState)
      // The host knows where it sent the map; it is told what the reader does.
      const { isDragging, isPanning, isRotating, isZooming } = interactionState
      if (isDragging || isPanning || isRotating || isZooming) events.onView(view)
      refresh()
    },
    onHover: (info) => events.onHover(pointedBy(info)),
    onClick: (info, { srcEvent }) => events.onClick(pointedBy(info), 'click', srcEvent as unknown as MouseEvent),
    onError: (error) => {
      if (!isClosed) events.onLost(error)
    },
  })

  const onMenu = (event: MouseEvent) => {
    const { left, top } = parent.getBoundingClientRect()
    const pointed = pointedBy(deck.pickObject({ x: event.clientX - left, y: event.clientY - top, radius: 4 }))
    if (!pointed) return
    event.preventDefault()
    events.onClick(pointed, 'menu', event)
  }
  parent.addEventListener('contextmenu', onMenu)
  const onContextLost = (event: Event) => {
    event.preventDefault()
    if (!isClosed) events.onLost(new Error('WebGL context lost'))
  }
  parent.addEventListener('webglcontextlost', onContextLost, true)

  function pointedBy(info: PickingInfo | null): Pointed | null {
    const id = info?.layer?.id ?? ''
    const marks = marksOfLayer.get(id)
    if (!info || !marks || info.index < 0) return null
    const { x, y, index, object } = info
    const place = { marks, at: index, x, y }
    if (marks.kind === 'cells') {
      const cell = object as { value?: number; count?: number } | undefined
      return { ...place, value: { count: cell?.count ?? 0, value: cell?.value ?? null } }
    }
    if (marks.kind !== 'clusters') return place
    const cluster = shown.get(id)?.[index]
    if (!cluster) return null
    return cluster.at === null
      ? { ...place, value: { count: cluster.count, value: null } }
      : { ...place, at: cluster.at }
  }

  /** What depends on how far away the map is: its outlines and clusters. */
  function refresh(): void {
    const wanted = detailOf(view.zoom)
    if (wanted !== detail) {
      detail = wanted
      groundOf(wanted).then(
        (found) => {
          if (isClosed || detail !== wanted) return
          ground = found
          show()
        },
        () => undefined,
      )
    }
    if (clusterOf.size > 0 && Math.floor(view.zoom) !== level) draw()
    if (tiles) showTiles(tiles)
    if (given && isOneWorld(given.marks) !== isOnce) show()
  }

  function showTiles(from: Tiles): void {
    const { width, height } = deck
    if (!width || !height) return
    const found = from.layersFor(new WebMercatorViewport({ ...view, width, height }).getBounds(), view.zoom)
    const isSame = found.length === shownTiles.length && found.every((layer, at) => layer === shownTiles[at])
    shownTiles = found
    if (!isSame) show()
  }

  function draw(): void {
    if (!given) return
    level = Math.floor(view.zoom)
    marksOfLayer = new Map()
    shown = new Map()
    const { marks, theme, locale } = given
    layers = marks.map((each, at) => {
      const id = `marks-${at}`
      marksOfLayer.set(id, each)
      if (each.kind !== 'clusters') return layerOf(each, theme, id)
      const cluster = clusterOf.get(each) ?? clusterer(each, each.layer as ClustersLayer, locale)
      clusterOf.set(each, cluster)
      const found = cluster(view.zoom)
      shown.set(id, found)
      return clusterLayers(found, each, theme, id)
    })
    show()
  }

  /** What is aggregated on the screen knows one world alone. */
  const isOneWorld = (marks: readonly Marks[]): boolean =>
    marks.some(({ kind }) => kind === 'heat' || kind === 'cells') || isWholeWorld(view, deck.width)

  const show = () => {
    if (!given) return
    isOnce = isOneWorld(given.marks)
    const views = isOnce ? oneWorld : worlds
    deck.setProps({
      views,
      layers: [...(ground ? groundLayers(ground, given.theme, detail) : []), ...shownTiles, ...layers.flat()],
    })
  }

  return {
    lay: (named) => {
      tiles?.close()
      shownTiles = []
      tiles = named && openTiles(named, () => !isClosed && refresh())
      show()
      refresh()
    },
    draw: (marks, theme, locale) => {
      if (given?.marks !== marks || given.locale !== locale) clusterOf = new Map()
      given = { marks, theme, locale }
      draw()
      refresh()
    },
    look: (next, { isSmooth = false } = {}) => {
      view = next
      deck.setProps({ initialViewState: { ...limited(next), transitionDuration: isSmooth ? 200 : 0 } })
      refresh()
    },
    close: () => {
      isClosed = true
      tiles?.close()
      parent.removeEventListener('contextmenu', onMenu)
      parent.removeEventListener('webglcontextlost', onContextLost, true)
      deck.finalize()
    },
  }
}

const worlds = new MapView({ id: 'map', repeat: true })
const oneWorld = new MapView({ id: 'map', repeat: false })

const limited = (view: Viewport) => ({ ...view, maxZoom: mostZoom, minZoom: -1, maxPitch: 75 })

const viewportOf = ({ longitude, latitude, zoom, bearing = 0, pitch = 0 }: Partial<Viewport>): Viewport => ({
  longitude: longitude ?? 0,
  latitude: latitude ?? 0,
  zoom: zoom ?? 0,
  bearing,
  pitch,
})

function groundLayers(ground: Ground, theme: ChartTheme, detail: string): Layer[] {
  const colors = groundOfTheme(theme)
  const line = { data: ground.borders, getPath: (path: Float64Array) => path, positionFormat: 'XY' as const }
  return [
    new SolidPolygonLayer({
      id: `land-${detail}`,
      data: ground.land,
      getPolygon: (area: Ground['land'][number]) => area,
      positionFormat: 'XY',
      _normalize: false,
      getFillColor: rgb(colors.land),
      updateTriggers: { getFillColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `borders-${detail}`,
      _pathType: 'open',
      getColor: rgb(colors.border),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
    new PathLayer({
      ...line,
      id: `coast-${detail}`,
      data: coastOf(ground),
      _pathType: 'open',
      getColor: rgb(colors.coast),
      widthUnits: 'pixels',
      getWidth: 0.75,
      updateTriggers: { getColor: theme.name },
    }),
  ]
}

const coasts = new WeakMap<Ground, Float64Array[]>()

/** The same list for the same land: else deck.gl would make its buffers anew. */
function coastOf(ground: Ground): Float64Array[] {
  const found = coasts.get(ground) ?? ground.land.flatMap(ringsOf)
  coasts.set(ground, found)
  return found
}

const rgb = (color: string): [number, number, number] => parseColor(color) ?? [128, 128, 128]

/** A colour of each mark as one array. */
function colorsOf({ inks, ink }: Pick<Points, 'inks' | 'ink'>, theme: ChartTheme): Uint8ClampedArray {
  const all = inks.map((each) => rgbaOf(each, theme))
  const colors = new Uint8ClampedArray(4 * ink.length)
  for (let at = 0; at < ink.length; at++) colors.set(all[ink[at]!]!, 4 * at)
  return colors
}

/** What deck.gl draws for marks. It asks a function for colours again only where a trigger has changed: that is the theme's name. */
export function layerOf(marks: Exclude<Marks, { kind: 'clusters' }>, theme: ChartTheme, id: string): Layer | Layer[] {
  switch (marks.kind) {
    case 'points':
      return pointsLayer(marks, theme, id)
    case 'lines':
      return linesLayer(marks, theme, id)
    case 'areas':
      return areaLayers(marks, theme, id)
    case 'arcs':
      return arcsLayer(marks, theme, id)
    case 'cells':
      return cellsLayer(marks as Weighed, theme, id)
    default:
      return heatLayer(marks as Weighed, theme, id)
  }
}

const pointsLayer = (marks: Points, theme: ChartTheme, id: string) =>
  new ScatterplotLayer({
    id,
    data: {
      length: marks.radii.length,
      attributes: {
        getPosition: { value: marks.positions, size: 2 },
        getRadius: { value: marks.radii, size: 1 },
        getFillColor: { value: colorsOf(marks, theme), size: 4 },
      },
    },
    radiusUnits: marks.unit,
    radiusMinPixels: marks.least,
    radiusMaxPixels: marks.most,
    pickable: true,
  })

function linesLayer({ lines, inks, ink, width, unit }: Lines, theme: ChartTheme, id: string) {
  const colors = inks.map((each) => rgbaOf(each, theme))
  return new PathLayer<Float64Array>({
    id,
    data: lines,
    getPath: (line) => line as never,
    positionFormat: 'XY',
    _pathType: 'open',
    getColor: (_, { index }) => colors[ink[index]!]!,
    getWidth: width,
    widthUnits: unit,
    widthMinPixels: 1,
    jointRounded: true,
    capRounded: true,
    pickable: true,
    updateTriggers: { getColor: theme.name },
  })
}

function areaLayers(marks: Areas, theme: ChartTheme, id: string): Layer[] {
  const { areas, inks, ink, stroke, isFilled, width, unit, elevations } = marks
  const colors = inks.map((each) => rgbaOf(each, theme))
  const clear: Rgba = [0, 0, 0, 0]
  const edges = stroke ? areas.flatMap(ringsOf) : []
  return [
    new SolidPolygonLayer<Areas['areas'][number]>({
      id,
      data: areas as Areas['areas'],
      getPolygon: (area) => area as never,
      positionFormat: 'XY',
      extruded: elevations !== null,
      getElevation: (_, { index }) => elevations?.[index] ?? 0,
      getFillColor: (_, { index }) => (isFilled ? colors[ink[index]!]! : clear),
      material: { ambient: 0.6, diffuse: 0.5, shininess: 20, specularColor: [60, 60, 60] },
      pickable: true,
      updateTriggers: { getFillColor: theme.name },
    }),
    ...(stroke && elevations === null
      ? [
          new PathLayer<Float64Array>({
            id: `${id}-edges`,
            data: edges,
            getPath: (ring) => ring as never,
            positionFormat: 'XY',
            _pathType: 'open',
            getColor: rgbaOf(stroke, theme),
            getWidth: width,
            widthUnits: unit,
            widthMinPixels: 0.5,
          }),
        ]
      : []),
  ]
}

const arcsLayer = (marks: Arcs, theme: ChartTheme, id: string) => {
  const target = rgbaOf(marks.target, theme)
  const sources = colorsOf(marks, theme)
  const targets = marks.isOneColor ? sources : Uint8ClampedArray.from(sources, (_, at) => target[at % 4]!)
  return new ArcLayer({
    id,
    data: {
      length: marks.ink.length,
      attributes: {
        getSourcePosition: { value: marks.sources, size: 2 },
        getTargetPosition: { value: marks.targets, size: 2 },
        getSourceColor: { value: sources, size: 4 },
        getTargetColor: { value: targets, size: 4 },
      },
    },
    getWidth: marks.width,
    getHeight: 0.6,
    pickable: true,
  })
}

/** Rows instead of arrays of the graphics card: its aggregation reads shared arrays wrongly. */
const weighedData = ({ positions, weights }: Weighed) => ({
  data: Array.from(weights, (_, at) => at),
  getPosition: (at: number): [number, number] => [positions[2 * at]!, positions[2 * at + 1]!],
  getWeight: (at: number): number => weights[at]!,
})

const cellsLayer = (marks: Weighed, theme: ChartTheme, id: string) => {
  const layer = marks.layer as CellsLayer
  return new ScreenGridLayer<number>({
    id,
    ...weighedData(marks),
    cellSizePixels: layer.cell,
    cellMarginPixels: 1,
    colorScaleType: 'quantize',
    colorRange: Array.from({ length: cellSteps }, (_, step) =>
      rgbaOf({ ...layer.ink, alpha: cellAlpha((step + 1) / cellSteps, layer) }, theme),
    ),
    gpuAggregation: true,
    aggregation: 'SUM',
    pickable: true,
  })
}

const heatLayer = (marks: Weighed, theme: ChartTheme, id: string) => {
  const { scheme, radius, intensity, isMean } = marks.layer as HeatLayer
  return new HeatmapLayer<number>({
    id,
    ...weighedData(marks),
    radiusPixels: radius,
    intensity,
    threshold: 0.03,
    aggregation: isMean ? 'MEAN' : 'SUM',
    colorRange: [0.2, 0.36, 0.52, 0.68, 0.84, 1].map((at) => rgb(rampColor(scheme, at, theme.name))),
  })
}

function clusterLayers(found: Cluster[], marks: Weighed, theme: ChartTheme, id: string): Layer[] {
  const layer = marks.layer as ClustersLayer
  const color = rgbaOf(layer.ink, theme)
  return [
    new ScatterplotLayer<Cluster>({
      id,
      data: found,
      getPosition: ({ longitude, latitude }) => [longitude, latitude],
      getRadius: ({ radius }) => radius,
      radiusUnits: 'pixels',
      getFillColor: color,
      pickable: true,
    }),
    new TextLayer<Cluster>({
      id: `${id}-texts`,
      data: found.filter(({ text }) => text !== ''),
      getPosition: ({ longitude, latitude }) => [longitude, latitude],
      getText: ({ text }) => text,
      getSize: 11,
      getColor: [255, 255, 255, 255],
      fontFamily: theme.font,
      fontWeight: 500,
      characterSet: 'auto',
    }),
  ]
}
