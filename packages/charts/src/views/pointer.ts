import type { RefObject } from 'react'
import type { MarkRef, EChartsTarget } from '../resolve/layer.ts'
import type { ResolvedChart } from '../resolve/resolve-spec.ts'
import type { EChartsType } from './echarts/engine.ts'
import type { MarkEvent } from './view.ts'

/** Pixels around a line within which a click selects it. */
const reach = 20

/** The item of a line or point series nearest to a position in the plot; null if none is near. */
export function findNearestMark(
  chart: EChartsType,
  { plots, axis }: NonNullable<ResolvedChart['axes']>,
  x: number,
  y: number,
): MarkRef | null {
  if (!chart.containPixel('grid', [x, y])) return null
  let found: (MarkRef & { distance: number }) | null = null
  for (const [series, plot] of plots.entries())
    for (const at of findNearbyItems(chart, plot.x, axis, x, y)) {
      const value = plot.y[at]
      if (value === null || value === undefined) continue
      const place = axis === 'category' ? at : plot.x[at]
      const pixel = chart.convertToPixel({ seriesIndex: series }, [place as number, value])
      const distance = Math.hypot((pixel[0] ?? 0) - x, (pixel[1] ?? 0) - y)
      if (distance <= reach && (!found || distance < found.distance)) found = { series, at, distance }
    }
  return found && { series: found.series, at: found.at }
}

/** Items next to the pointer along the x axis. */
function findNearbyItems(
  chart: EChartsType,
  xs: (number | string | null)[],
  axis: NonNullable<ResolvedChart['axes']>['axis'],
  x: number,
  y: number,
): number[] {
  const [value] = chart.convertFromPixel('grid', [x, y])
  if (value === undefined) return []
  if (axis === 'category') return [Math.round(value)]
  let [low, high] = [0, xs.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(xs[middle]) < value) low = middle + 1
    else high = middle
  }
  return [low - 1, low].filter((at) => at >= 0)
}

const gap = 14

/**
 * Positions the tooltip beside the pointer, on the side with enough space; it may leave the chart but not the window. Positions
 * are relative to the window, since the tooltip is in the body.
 */
export const placeTooltip =
  (host: RefObject<HTMLElement | null>) =>
  (
    [x, y]: [number, number],
    _params: unknown,
    _element: unknown,
    _rect: unknown,
    { contentSize: [width, height] }: { contentSize: [number, number] },
  ): [number, number] => {
    const box = host.current?.getBoundingClientRect()
    if (!box) return [x + gap, y]
    const room = { right: window.innerWidth - 8 - box.left, bottom: window.innerHeight - 8 - box.top }
    const left = x + gap + width > room.right ? x - gap - width : x + gap
    const top = Math.min(y + gap, room.bottom - height)
    return [Math.max(8 - box.left, left), Math.max(8 - box.top, top)]
  }

/** A click or a menu request, on or near a mark. */
export interface PointerAction {
  kind: MarkEvent['kind']
  event: MouseEvent
  /** The item that was hit; undefined on the background, where the nearest mark is used. */
  target?: EChartsTarget & { seriesIndex: number }
  /** Position in the plot. */
  x: number
  y: number
}

interface Pointed {
  seriesIndex?: number
  dataIndex?: number
  dataType?: string
  event?: { event: MouseEvent; offsetX: number; offsetY: number }
}
interface OnGround {
  target?: unknown
  offsetX: number
  offsetY: number
  event: MouseEvent
}

/** Listens to pointer events on a chart for its lifetime. */
export function listenToPointer(
  chart: EChartsType,
  heard: (act: PointerAction) => void,
  hovered: (series: number | null) => void,
): void {
  const onMark = (kind: MarkEvent['kind']) => (params: unknown) => {
    const { seriesIndex, dataIndex, dataType, event } = params as Pointed
    if (seriesIndex === undefined || dataIndex === undefined || !event) return
    const target = { seriesIndex, dataIndex, ...(dataType !== undefined && { dataType }) }
    heard({ kind, event: event.event, target, x: event.offsetX, y: event.offsetY })
  }
  const onGround = (kind: MarkEvent['kind']) => (params: unknown) => {
    const { target, event, offsetX: x, offsetY: y } = params as OnGround
    if (!target) heard({ kind, event, x, y })
  }
  const acts: [string, (params: unknown) => void, (params: unknown) => void][] = [
    ['click', onMark('click'), onGround('click')],
    ['contextmenu', onMark('menu'), onGround('menu')],
  ]
  const ground = chart.getZr()
  for (const [name, mark, beside] of acts) {
    chart.on(name, mark)
    ground.on(name, beside)
  }
  chart.on('mouseover', (params) => hovered((params as Pointed).seriesIndex ?? null))
  chart.on('mouseout', () => hovered(null))
}
