/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/prefer-tag-over-role -- a figure that arrow keys move; the frame around it is the figure tag */
import { resolveTiles } from '@parquetry/model'
import { IconButton, useTranslate } from '@parquetry/ui'
import { useContext, useEffect, useEffectEvent, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { DataTable } from '../../views/DataTable.tsx'
import { Legend } from '../../views/Legend.tsx'
import { MapTilesContext } from '../../views/map-tiles.ts'
import type { ViewProps } from '../../views/view.ts'
import { fitViewport, latitudeAt, longitudeAt, mercatorX, mercatorY } from './camera.ts'
import type { DeckMap, PickedMark } from './deck.ts'
import type { MapSpec, Viewport } from './layers.ts'
import { fadeMarks } from './fade-marks.ts'
import { buildMapLegend } from './legend.ts'
import { buildMapMark } from './map-mark.ts'
import { buildMarks } from './marks/build-marks.ts'

import { MapTooltip } from './MapTooltip.tsx'
import { describeMap, listMapFootnotes } from './notes.ts'
import { StaticMap } from './StaticMap.tsx'
import styles from './map.module.css'

/** Pixels by which an arrow key moves the map. */
const step = 80

/** A map with marks drawn by deck.gl, or, without WebGL, the same static image as without a browser. */
export default function MapView({ spec: given, frames, form, context, around, label, onMark, onSetting }: ViewProps) {
  const t = useTranslate()
  const spec = given as MapSpec
  const { theme, locale, translate, width, height, selected } = around
  const [host, setHost] = useState<HTMLDivElement | null>(null)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const [isTable, setIsTable] = useState(false)
  const [isLost, setIsLost] = useState(() => !hasWebGL())
  const [pointed, setPointed] = useState<PickedMark | null>(null)
  const [isMoved, setIsMoved] = useState(false)
  const describedBy = useId()
  const map = useRef<DeckMap | null>(null)
  const view = useRef<Viewport | null>(null)

  const drawable = useMemo(() => buildMarks(spec, frames, hidden), [spec, frames, hidden])
  const drawn = useMemo(() => fadeMarks(drawable, frames, selected), [drawable, frames, selected])
  const whole = useMemo(
    () => (hidden.size === 0 ? drawable : buildMarks(spec, frames)),
    [drawable, hidden, spec, frames],
  )
  const legend = useMemo(() => (spec.legend ? buildMapLegend(spec, whole, { theme }) : []), [spec, whole, theme])
  const tiles = resolveTiles(useContext(MapTilesContext), spec.style)
  const notes = listMapFootnotes(spec, drawable, translate)

  const home = () => spec.viewport ?? fitViewport(whole.bounds, { width, height })
  const first = useEffectEvent(home)
  const hover = useEffectEvent((next: PickedMark | null) => setPointed(next))
  const press = useEffectEvent(
    (at: PickedMark | null, kind: 'click' | 'menu', { clientX: x, clientY: y }: MouseEvent) => {
      const mark = at && buildMapMark(at, frames, form)
      if (mark) onMark?.(mark, { kind, x, y })
    },
  )
  const move = (next: Viewport) => {
    view.current = next
    setPointed(null)
    setIsMoved(true)
  }
  const moved = useEffectEvent(move)

  const [isOpen, setIsOpen] = useState(false)
  useEffect(() => {
    if (!host || isLost) return
    let isClosed = false
    const lose = (error: unknown) => {
      // oxlint-disable-next-line no-console -- the picture says it is still; why is for who looks into it
      console.warn(error)
      if (!isClosed) setIsLost(true)
    }
    import('./deck.ts').then(({ openDeckMap }) => {
      if (isClosed) return
      view.current = first()
      map.current = openDeckMap(host, view.current, { onHover: hover, onClick: press, onView: moved, onLost: lose })
      setIsOpen(true)
    }, lose)
    return () => {
      isClosed = true
      map.current?.close()
      map.current = null
      setIsOpen(false)
    }
  }, [host, isLost])

  useEffect(() => {
    if (isOpen) map.current?.draw(drawn.marks, theme, locale)
  }, [isOpen, drawn, theme, locale])

  useEffect(() => {
    if (isOpen) map.current?.setTiles(tiles)
  }, [isOpen, tiles])

  const showHome = useEffectEvent(() => {
    view.current = home()
    map.current?.setViewport(view.current)
  })
  useEffect(() => {
    if (isOpen) showHome()
  }, [isOpen, spec.viewport, whole.bounds])

  const change = (to: (now: Viewport) => Viewport) => {
    const now = view.current
    if (!now) return
    const next = to(now)
    move(next)
    map.current?.setViewport(next, { isSmooth: !matchMedia('(prefers-reduced-motion: reduce)').matches })
  }
  const zoom = (by: number) => change((now) => ({ ...now, zoom: Math.max(-1, Math.min(20, now.zoom + by)) }))
  const pan = (x: number, y: number) =>
    change((now) => {
      const part = step / (512 * 2 ** now.zoom)
      return {
        ...now,
        longitude: longitudeAt(mercatorX(now.longitude) + x * part),
        latitude: latitudeAt(mercatorY(now.latitude) + y * part),
      }
    })
  const keys: Record<string, () => void> = {
    ArrowLeft: () => pan(-1, 0),
    ArrowRight: () => pan(1, 0),
    ArrowUp: () => pan(0, -1),
    ArrowDown: () => pan(0, 1),
    '+': () => zoom(1),
    '=': () => zoom(1),
    '-': () => zoom(-1),
    '0': () => change(home),
    t: () => setIsTable(true),
    T: () => setIsTable(true),
    Escape: () => setPointed(null),
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target !== event.currentTarget) return
    const act = keys[event.key]
    if (!act || (event.key === 'Escape' && !pointed)) return
    event.preventDefault()
    event.stopPropagation()
    act()
  }

  return (
    <div className={styles.map}>
      <div className={styles.stage}>
        <div
          className={styles.plot}
          role="figure"
          aria-label={label}
          aria-describedby={describedBy}
          tabIndex={0}
          onKeyDown={onKeyDown}
          onPointerLeave={() => setPointed(null)}
        >
          {isLost ? (
            <StaticMap
              spec={{ ...spec, legend: null, notes: [] }}
              drawable={{ ...drawable, rowsWithoutLocation: 0 }}
              around={around}
            />
          ) : (
            <div ref={setHost} className={styles.canvas} style={{ background: theme.sunken }} aria-hidden="true" />
          )}
          {pointed && <MapTooltip pointed={pointed} frames={frames} around={around} />}
          <span id={describedBy} className={styles.hidden}>
            {describeMap(spec, drawable, translate)}{' '}
            {t(
              'charts.map.keys',
              'Use the arrow keys to move the map, plus and minus to zoom, 0 to show all and T to show the data as a table.',
            )}
          </span>
        </div>
        {legend.length > 0 && spec.legend && (
          <div className={styles.legend} data-corner={spec.legend}>
            <Legend
              entries={legend.map((entry) => ({ ...entry, isHidden: hidden.has(entry.name) }))}
              position="left"
              hidden={hidden}
              onHidden={setHidden}
            />
          </div>
        )}
        {tiles && !isLost && (
          <p className={styles.source}>
            {tiles.link ? (
              <a href={tiles.link} target="_blank" rel="noreferrer">
                {tiles.attribution}
              </a>
            ) : (
              tiles.attribution
            )}
          </p>
        )}
        {!isLost && (
          <div className={styles.buttons} data-away={spec.legend === 'br' ? '' : undefined}>
            {onSetting && isMoved && (
              <button
                type="button"
                className={styles.keep}
                onClick={() => {
                  onSetting({ viewport: rounded(view.current ?? home()), autozoom: false })
                  setIsMoved(false)
                }}
              >
                {t('charts.map.keep', 'Use this view')}
              </button>
            )}
            <IconButton icon="plus" label={t('charts.map.in', 'Zoom in')} onClick={() => zoom(1)} />
            <IconButton icon="minus" label={t('charts.map.out', 'Zoom out')} onClick={() => zoom(-1)} />
            <IconButton icon="expand" label={t('charts.map.all', 'Show all')} onClick={() => change(home)} />
          </div>
        )}
      </div>
      {(notes.length > 0 || isLost) && (
        <p className={styles.note}>
          {[
            ...(isLost ? [t('charts.map.still', 'Static image: this browser does not support WebGL.')] : []),
            ...notes,
          ].join(' ')}
        </p>
      )}
      {isTable && (
        <DataTable
          frames={frames}
          context={context}
          around={around}
          title={label}
          onClose={() => {
            setIsTable(false)
            host?.parentElement?.focus()
          }}
        />
      )}
    </div>
  )
}

/** Rounds a viewport for storage: six digits of a degree are a tenth of a meter. */
const rounded = ({ longitude, latitude, zoom, bearing, pitch }: Viewport): Viewport => {
  const cut = (value: number, digits: number) => Number(value.toFixed(digits))
  return {
    longitude: cut(longitude, 6),
    latitude: cut(latitude, 6),
    zoom: cut(zoom, 3),
    bearing: cut(bearing, 2),
    pitch: cut(pitch, 2),
  }
}

let webgl: boolean | undefined
function hasWebGL(): boolean {
  webgl ??= document.createElement('canvas').getContext('webgl2') !== null
  return webgl
}
