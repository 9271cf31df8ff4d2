import { Deck, MapView, WebMercatorViewport, type Layer, type PickingInfo } from '@deck.gl/core'
import type { MapTiles } from '@parquetry/model'
import type { ChartTheme } from '../../resolve/theme.ts'
import { isWholeWorld, maxZoom } from './camera.ts'
import { clusterer, type Cluster } from './clusters.ts'
import { baseMapLayers } from './deck-base-map.ts'
import { clusterLayers, buildDeckLayer } from './deck-marks.ts'
import { detailForZoom, loadBaseMap, type BaseMap } from './base-map.ts'
import type { ClustersLayer, Viewport } from './layers.ts'
import type { MarkGroup } from './marks/kinds.ts'
import { openTileCache, type TileCache } from './tile-cache.ts'

/** A mark under the pointer: its set of marks, and its index in that set. */
export interface PickedMark {
  marks: MarkGroup
  at: number
  /** Count and value of an aggregated mark, such as a cluster or a cell. */
  value?: { count: number; value: number | null }
  x: number
  y: number
}

export interface MapEvents {
  onHover: (pointed: PickedMark | null) => void
  onClick: (pointed: PickedMark | null, kind: 'click' | 'menu', event: MouseEvent) => void
  onView: (view: Viewport) => void
  /** WebGL was lost or is not available. */
  onLost: (error: Error) => void
}

export interface DeckMap {
  /** `setTiles` sets the tiles between the land and the marks; null for none. */
  setTiles: (tiles: MapTiles | null) => void
  draw: (marks: readonly MarkGroup[], theme: ChartTheme, locale: string) => void
  setViewport: (view: Viewport, options?: { isSmooth?: boolean }) => void
  close: () => void
}

/** Layers are created when marks, theme or level of detail change; moving the map creates none. */
export function openDeckMap(parent: HTMLDivElement, first: Viewport, events: MapEvents): DeckMap {
  let view = first
  let given: { marks: readonly MarkGroup[]; theme: ChartTheme; locale: string } | null = null
  let ground: BaseMap | null = null
  let detail = ''
  let layers: readonly (Layer | Layer[])[] = []
  let marksOfLayer = new Map<string, MarkGroup>()
  let clusterOf = new Map<MarkGroup, (zoom: number) => Cluster[]>()
  let shown = new Map<string, Cluster[]>()
  let level = Number.NaN
  let tiles: TileCache | null = null
  let shownTiles: readonly Layer[] = []
  let isOnce = false
  let isClosed = false

  const deck = new Deck<MapView>({
    parent,
    views: worlds,
    initialViewState: limitView(first),
    controller: { doubleClickZoom: true, touchRotate: true, keyboard: false, inertia: 150 },
    style: { position: 'absolute', inset: '0' },
    useDevicePixels: Math.min(2, window.devicePixelRatio || 1),
    pickingRadius: 4,
    onResize: () => refresh(),
    // The surrounding figure handles the keyboard.
    onLoad: () => parent.querySelectorAll<HTMLElement>('[tabindex]').forEach((each) => (each.tabIndex = -1)),
    getCursor: ({ isDragging, isHovering }) => (isDragging ? 'grabbing' : isHovering ? 'pointer' : 'grab'),
    onViewStateChange: ({ viewState, interactionState }) => {
      view = toViewport(viewState)
      // Only movements by the user are reported; the host knows its own.
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

  function pointedBy(info: PickingInfo | null): PickedMark | null {
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

  /** Updates what depends on the zoom: outlines and clusters. */
  function refresh(): void {
    const wanted = detailForZoom(view.zoom)
    if (wanted !== detail) {
      detail = wanted
      loadBaseMap(wanted).then(
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

  function showTiles(from: TileCache): void {
    const { width, height } = deck
    if (!width || !height) return
    const found = from.layersFor(new WebMercatorViewport({ ...view, width, height }).getBounds(), view.zoom)
    const isSame = found.length === shownTiles.length && found.every((layer, index) => layer === shownTiles[index])
    shownTiles = found
    if (!isSame) show()
  }

  function draw(): void {
    if (!given) return
    level = Math.floor(view.zoom)
    marksOfLayer = new Map()
    shown = new Map()
    const { marks, theme, locale } = given
    layers = marks.map((each, index) => {
      const id = `marks-${index}`
      marksOfLayer.set(id, each)
      if (each.kind !== 'clusters') return buildDeckLayer(each, theme, id)
      const cluster = clusterOf.get(each) ?? clusterer(each, each.layer as ClustersLayer, locale)
      clusterOf.set(each, cluster)
      const found = cluster(view.zoom)
      shown.set(id, found)
      return clusterLayers(found, each, theme, id)
    })
    show()
  }

  /** Screen-space aggregation supports only one copy of the world. */
  const isOneWorld = (marks: readonly MarkGroup[]): boolean =>
    marks.some(({ kind }) => kind === 'heat' || kind === 'cells') || isWholeWorld(view, deck.width)

  const show = () => {
    if (!given) return
    isOnce = isOneWorld(given.marks)
    const views = isOnce ? oneWorld : worlds
    deck.setProps({
      views,
      layers: [...(ground ? baseMapLayers(ground, given.theme, detail) : []), ...shownTiles, ...layers.flat()],
    })
  }

  return {
    setTiles: (named) => {
      tiles?.close()
      shownTiles = []
      tiles = named && openTileCache(named, () => !isClosed && refresh())
      show()
      refresh()
    },
    draw: (marks, theme, locale) => {
      if (given?.marks !== marks || given.locale !== locale) clusterOf = new Map()
      given = { marks, theme, locale }
      draw()
      refresh()
    },
    setViewport: (next, { isSmooth = false } = {}) => {
      view = next
      deck.setProps({ initialViewState: { ...limitView(next), transitionDuration: isSmooth ? 200 : 0 } })
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

const limitView = (view: Viewport) => ({ ...view, maxZoom: maxZoom, minZoom: -1, maxPitch: 75 })

const toViewport = ({ longitude, latitude, zoom, bearing = 0, pitch = 0 }: Partial<Viewport>): Viewport => ({
  longitude: longitude ?? 0,
  latitude: latitude ?? 0,
  zoom: zoom ?? 0,
  bearing,
  pitch,
})
