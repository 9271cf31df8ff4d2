import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import type { ChartForm } from '../define.ts'
import type { Place } from '../resolve/layer.ts'
import type { Resolved } from '../resolve/resolve.ts'
import type { EChartsType } from './echarts/engine.ts'
import { engineFor, loadFor } from './echarts/load.ts'
import { inTurn } from './in-turn.ts'
import { listen, nearest, tooltipPlace, type Heard } from './pointing.ts'
import type { Size } from './use-size.ts'
import type { ViewProps } from './view.ts'
import styles from './chart-host.module.css'

export interface PlotCanvasProps {
  resolved: Resolved
  form: ChartForm
  size: Size
  onMark: ViewProps['onMark']
  /** Hears of every click on a mark. */
  onOpen: (place: Place) => void
  /** Asked at each change: whether it is worth following. */
  moves: (() => boolean) | undefined
  onDrawn: (() => void) | undefined
  onFailed: (error: Error) => void
  /** Where the keyboard stands; null without. */
  walk: Place | null
}

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/**
 * ECharts on a canvas: made once, told of every change, resized with its box, gone with its component. Its tooltip is made when
 * somebody first points at it: for twenty charts at once it would take as long as two pictures.
 */
export function PlotCanvas({ resolved, form, size, onMark, onOpen, moves, onDrawn, onFailed, walk }: PlotCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const made = useRef<EChartsType | null>(null)
  const [, setLoads] = useState(0)
  const engine = engineFor(resolved.option)
  const { option } = resolved

  const hasFailed = useRef(false)
  const shape = useRef('')
  const failed = useEffectEvent((error: unknown) => {
    hasFailed.current = true
    onFailed(asError(error))
  })
  const drawn = useEffectEvent(() => onDrawn?.())
  // What is seen for the first time stands at once; only a change is followed.
  const stands = useEffectEvent(() => shape.current === '' || moves?.() === false)
  const heard = useEffectEvent(({ kind, event, ...place }: Heard) => {
    const chart = made.current
    if (!chart) return
    const found = place.target
      ? resolved.placeOf(place.target)
      : resolved.axes && nearest(chart, resolved.axes, place.x, place.y)
    if (found && kind === 'click') onOpen(found)
    if (!onMark) return
    const mark = found && resolved.mark(found, form)
    if (kind === 'menu') event.preventDefault()
    if (mark) onMark(mark, { kind, x: event.clientX, y: event.clientY })
  })
  const targetOf = useEffectEvent((place: Place) => resolved.targetOf(place))
  /** The tooltip of a mark as one that stands anywhere. */
  const tipAt = useEffectEvent((place: Place) => {
    const { formatter } = resolved.option.tooltip as { formatter: (target: object) => string }
    return { formatter: () => formatter(resolved.targetOf(place)) }
  })
  const hasAxes = useEffectEvent(() => resolved.axes !== null)
  const hovered = useEffectEvent((series: number | null) => resolved.hover(series))

  useEffect(() => {
    if (engine) return
    let isCurrent = true
    loadFor(option).then(
      () => inTurn(() => isCurrent && setLoads((count) => count + 1)),
      (error: unknown) => isCurrent && failed(error),
    )
    return () => {
      isCurrent = false
    }
  }, [engine, option])

  const make = useEffectEvent((): EChartsType | null => {
    if (!engine || !box.current) return null
    engine.use([...resolved.parts])
    const chart = engine.init(box.current, null, { renderer: 'canvas', ...size })
    listen(chart, heard, hovered)
    return chart
  })
  const isPointed = useRef(false)
  const tooltip = () => ({
    ...(option.tooltip as object),
    appendTo: 'body',
    confine: false,
    position: tooltipPlace(box),
  })
  const point = () => {
    if (isPointed.current || !made.current) return
    isPointed.current = true
    made.current.setOption({ tooltip: tooltip() })
  }
  const pointed = useEffectEvent(point)
  const tooltipSoFar = useEffectEvent(() => isPointed.current && { tooltip: tooltip() })

  useLayoutEffect(() => {
    try {
      const chart = (made.current ??= make())
      if (!chart) return
      const next = shapeOf(option)
      const { tooltip: _later, ...seen } = stands() ? standing(option) : option
      chart.setOption(
        { ...seen, ...tooltipSoFar() },
        shape.current === next ? { replaceMerge: ['series'] } : { notMerge: true },
      )
      shape.current = next
      drawn()
    } catch (error) {
      failed(error)
    }
  }, [engine, option])

  useLayoutEffect(
    () => () => {
      if (made.current) disposeOf(made.current, hasFailed.current)
      made.current = null
      isPointed.current = false
      shape.current = ''
    },
    [],
  )

  useLayoutEffect(() => {
    const chart = made.current
    if (chart && (chart.getWidth() !== size.width || chart.getHeight() !== size.height)) chart.resize(size)
  }, [size])

  useEffect(() => {
    const chart = made.current
    if (!chart) return
    hovered(walk?.series ?? null)
    if (!walk) {
      if (isPointed.current) chart.dispatchAction({ type: 'hideTip' })
      return undefined
    }
    pointed()
    const { point: at, ...target } = targetOf(walk)
    const [x, y] = at ? chart.convertToPixel({ seriesIndex: target.seriesIndex }, [...at]) : []
    chart.dispatchAction({ type: 'showTip', ...(at ? { x, y, tooltip: tipAt(walk) } : target) })
    if (hasAxes()) return undefined
    chart.dispatchAction({ type: 'highlight', ...target })
    return () => {
      if (!chart.isDisposed()) chart.dispatchAction({ type: 'downplay', ...target })
    }
  }, [walk])

  return <div ref={box} className={styles.canvas} aria-hidden="true" onPointerEnter={point} />
}

/** Without any movement: each series says for itself whether it moves. */
const standing = (option: Record<string, unknown>): Record<string, unknown> => ({
  ...option,
  animation: false,
  series: (option.series as object[]).map((series) => ({ ...series, animation: false })),
})

/** A picture that failed half-way may have no canvas to clear; why it failed is shown already. */
function disposeOf(chart: EChartsType, hasFailed: boolean): void {
  try {
    chart.dispose()
  } catch (error) {
    if (!hasFailed) throw error
  }
}

/**
 * What an instance must know of ECharts. It knows only what was in use when it was made, so a picture of other kinds is drawn by
 * another one: the key of this component.
 */
export const needsOf = (option: Record<string, unknown>): string => `${kindsIn(option)} ${'dataZoom' in option}`

const kindsIn = ({ series }: Record<string, unknown>): string =>
  [...new Set((series as { type: string }[]).map(({ type }) => type))].join(' ')

/** Pictures of one shape are merged, so that a refresh keeps the zoom and marks move; another shape starts anew. */
const shapeOf = (option: Record<string, unknown>): string =>
  JSON.stringify([
    Object.keys(option).toSorted(),
    (option.xAxis as { type?: string } | undefined)?.type,
    (option.yAxis as { type?: string } | undefined)?.type,
    (option.parallelAxis as { id: string }[] | undefined)?.map(({ id }) => id),
    kindsIn(option),
  ])
