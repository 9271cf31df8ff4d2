import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState, type PointerEvent, type RefObject } from 'react'
import type { ChartForm } from '../define.ts'
import type { MarkRef } from '../resolve/layer.ts'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'
import type { EChartsType } from './echarts/engine.ts'
import { getLoadedEngine, hasTooltip, loadEngine, loadTooltip } from './echarts/load.ts'
import { enqueueRender } from './render-queue.ts'
import { listenToPointer, findNearestMark, placeTooltip, type PointerAction } from './pointer.ts'
import type { Size } from './use-size.ts'
import type { ViewProps } from './view.ts'
import styles from './chart-host.module.css'

export interface PlotCanvasProps {
  resolved: ResolvedChart
  form: ChartForm
  size: Size
  onMark: ViewProps['onMark']
  /** Called on every click on a mark. */
  onOpen: (place: MarkRef) => void
  /** Called on each change; returns true if it should be animated. */
  moves: (() => boolean) | undefined
  onDrawn: (() => void) | undefined
  onFailed: (error: Error) => void
  /** Mark reached by keyboard; null without one. */
  focusedMark: MarkRef | null
}

/** Delay after which the next pointer move retries loading the tooltip code. */
const tooltipRestMs = 3000

const asError = (error: unknown) => (error instanceof Error ? error : new Error(String(error)))

/**
 * ECharts on a canvas: created once, updated on every change, resized with its box and disposed with its component. The tooltip
 * is loaded and created on first use of the pointer: for twenty charts it would take as long as drawing two. An instance created
 * before tooltips were loaded is then recreated, since it only knows the modules registered at its creation.
 */
export function PlotCanvas({
  resolved,
  form,
  size,
  onMark,
  onOpen,
  moves,
  onDrawn,
  onFailed,
  focusedMark,
}: PlotCanvasProps) {
  const box = useRef<HTMLDivElement>(null)
  const chartRef = useRef<EChartsType | null>(null)
  /** True if `made` supports tooltips. */
  const canPoint = useRef(false)
  const isPointed = useRef(false)
  /** Pointer position while `made` cannot show tooltips. */
  const pointer = useRef<{ x: number; y: number } | null>(null)
  const isPressed = useRef(false)
  const [, setLoads] = useState(0)
  const engine = getLoadedEngine(resolved.option)
  const { option } = resolved

  const hasFailed = useRef(false)
  const shape = useRef('')
  const failed = useEffectEvent((error: unknown) => {
    hasFailed.current = true
    onFailed(asError(error))
  })
  // The first drawing is not animated; only changes are.
  const stands = () => shape.current === '' || moves?.() === false
  const heard = useEffectEvent(({ kind, event, ...place }: PointerAction) => {
    const chart = chartRef.current
    if (!chart) return
    const found = place.target
      ? resolved.fromTarget(place.target)
      : resolved.axes && findNearestMark(chart, resolved.axes, place.x, place.y)
    if (found && kind === 'click') onOpen(found)
    if (!onMark) return
    const mark = found && resolved.mark(found, form)
    if (kind === 'menu') {
      event.preventDefault()
      chart.dispatchAction({ type: 'hideTip' })
    }
    if (mark) onMark(mark, { kind, x: event.clientX, y: event.clientY })
  })
  const targetOf = useEffectEvent((place: MarkRef) => {
    const { point: _, ...target } = resolved.toTarget(place)
    return target
  })
  /** Tooltip of a mark that can be shown anywhere. */
  const tipAt = (place: MarkRef) => {
    const { formatter } = resolved.option.tooltip as { formatter: (target: object) => string }
    return { formatter: () => formatter(resolved.toTarget(place)) }
  }
  const hasAxes = useEffectEvent(() => resolved.axes !== null)
  const hovered = useEffectEvent((series: number | null) => resolved.hover(series))

  useEffect(() => {
    if (engine) return
    let isCurrent = true
    loadEngine(option).then(
      () => enqueueRender(() => isCurrent && setLoads((count) => count + 1)),
      (error: unknown) => isCurrent && failed(error),
    )
    return () => {
      isCurrent = false
    }
  }, [engine, option])

  const make = (): EChartsType | null => {
    if (!engine || !box.current) return null
    engine.use([...resolved.parts])
    const chart = engine.init(box.current, null, { renderer: 'canvas', ...size })
    canPoint.current = hasTooltip()
    listenToPointer(chart, heard, hovered)
    return chart
  }
  const draw = () => {
    try {
      const chart = (chartRef.current ??= make())
      if (!chart) return
      const next = buildMergeKey(option)
      const { tooltip: _later, ...seen } = stands() ? withoutAnimation(option) : option
      chart.setOption(
        { ...seen, ...(isPointed.current && canPoint.current && { tooltip: tooltip() }) },
        shape.current === next ? { replaceMerge: ['series'] } : { notMerge: true },
      )
      shape.current = next
      onDrawn?.()
    } catch (error) {
      failed(error)
    }
  }
  const clear = () => {
    if (chartRef.current) disposeChart(chartRef.current, hasFailed.current)
    chartRef.current = null
    shape.current = ''
  }
  const tooltip = () => ({
    ...(option.tooltip as object),
    appendTo: 'body',
    confine: false,
    position: placeTooltip(box),
  })
  const show = (place: MarkRef) => {
    const chart = chartRef.current
    if (!chart) return
    const { point: at, ...target } = resolved.toTarget(place)
    const [x, y] = at ? chart.convertToPixel({ seriesIndex: target.seriesIndex }, [...at]) : []
    chart.dispatchAction({ type: 'showTip', ...(at ? { x, y, tooltip: tipAt(place) } : target) })
    if (!resolved.axes) chart.dispatchAction({ type: 'highlight', ...target })
  }
  const pointable = useEffectEvent(() => {
    if (!chartRef.current || canPoint.current) return
    const zooms = chartRef.current.getOption()['dataZoom'] as { start: number; end: number }[] | undefined
    clear()
    draw()
    if (!chartRef.current) return
    if (zooms) chartRef.current.setOption({ dataZoom: zooms.map(({ start, end }) => ({ start, end })) })
    const corner = box.current?.getBoundingClientRect()
    if (focusedMark) show(focusedMark)
    else if (corner && pointer.current) {
      const { x, y } = pointer.current
      // With "showTip" the tooltip of a mark would be hidden immediately: ECharts notifies its axes later, which have no tooltip
      // there.
      chartRef.current.getZr().handler.dispatch('mousemove', { zrX: x - corner.left, zrY: y - corner.top })
    }
  })
  const point = () => {
    if (isPointed.current || !chartRef.current) return
    isPointed.current = true
    if (canPoint.current) chartRef.current.setOption({ tooltip: tooltip() })
    else
      loadTooltip().then(
        () => whenReleased(isPressed, pointable),
        () => setTimeout(() => (isPointed.current = false), tooltipRestMs),
      )
  }
  const pointed = useEffectEvent(point)
  const shown = useEffectEvent(show)
  const drawnNow = useEffectEvent(draw)

  useLayoutEffect(() => drawnNow(), [engine, option])

  const cleared = useEffectEvent(clear)
  useLayoutEffect(
    () => () => {
      cleared()
      isPointed.current = false
    },
    [],
  )

  useLayoutEffect(() => {
    const chart = chartRef.current
    if (chart && (chart.getWidth() !== size.width || chart.getHeight() !== size.height)) chart.resize(size)
  }, [size])

  useEffect(() => {
    const chart = chartRef.current
    if (!chart) return
    hovered(focusedMark?.series ?? null)
    if (!focusedMark) {
      if (isPointed.current) chart.dispatchAction({ type: 'hideTip' })
      return undefined
    }
    pointed()
    shown(focusedMark)
    if (hasAxes()) return undefined
    return () => chartRef.current?.dispatchAction({ type: 'downplay', ...targetOf(focusedMark) })
  }, [focusedMark])

  const follow = ({ clientX: x, clientY: y }: PointerEvent) => {
    if (canPoint.current) return
    pointer.current = { x, y }
    point()
  }
  return (
    <div
      ref={box}
      className={styles.canvas}
      aria-hidden="true"
      onPointerEnter={(event) => {
        follow(event)
        point()
      }}
      onPointerMove={follow}
      onPointerDown={() => {
        isPressed.current = true
        onRelease(() => (isPressed.current = false))
      }}
      onPointerLeave={({ pointerType }) => {
        // After a touch the tooltip stays at the position of the finger.
        if (pointerType !== 'touch') pointer.current = null
      }}
    />
  )
}

/**
 * Runs between presses, because clicks and touches must end on the canvas where they began; a touch arrives and is pressed within
 * one task.
 */
function whenReleased(isPressed: RefObject<boolean>, then: () => void): void {
  setTimeout(() => (isPressed.current ? onRelease(() => whenReleased(isPressed, then)) : then()))
}

/** Runs once all buttons and fingers are released, anywhere on the page. */
function onRelease(then: () => void): void {
  const both = new AbortController()
  const up = () => {
    both.abort()
    then()
  }
  for (const name of ['pointerup', 'pointercancel']) addEventListener(name, up, { signal: both.signal })
}

/** Disables all animation, which each series defines separately. */
const withoutAnimation = (option: Record<string, unknown>): Record<string, unknown> => ({
  ...option,
  animation: false,
  series: (option.series as object[]).map((series) => ({ ...series, animation: false })),
})

/** Disposes a chart. One whose drawing failed may have no canvas to clear; its error is already shown. */
function disposeChart(chart: EChartsType, hasFailed: boolean): void {
  try {
    chart.dispose()
  } catch (error) {
    if (!hasFailed) throw error
  }
}

/**
 * Features that an instance requires from ECharts. It only knows the modules registered at its creation, so a chart with other
 * series types needs another instance: this is the key of the component.
 */
export const buildEngineKey = (option: Record<string, unknown>): string => `${kindsIn(option)} ${'dataZoom' in option}`

const kindsIn = ({ series }: Record<string, unknown>): string =>
  [...new Set((series as { type: string }[]).map(({ type }) => type))].join(' ')

/** Options of the same shape are merged, so that a refresh keeps the zoom and animates marks; another shape starts over. */
const buildMergeKey = (option: Record<string, unknown>): string =>
  JSON.stringify([
    Object.keys(option).toSorted(),
    (option.xAxis as { type?: string } | undefined)?.type,
    (option.yAxis as { type?: string } | undefined)?.type,
    (option.parallelAxis as { id: string }[] | undefined)?.map(({ id }) => id),
    kindsIn(option),
  ])
