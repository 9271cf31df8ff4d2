export type Side = 'top' | 'bottom' | 'left' | 'right'
export type Placement = Side | `${Side}-${'start' | 'end'}`

export interface Rect {
  left: number
  top: number
  width: number
  height: number
}

const margin = 8
const opposite: Record<Side, Side> = { top: 'bottom', bottom: 'top', left: 'right', right: 'left' }

/**
 * Places a floating box next to its anchor: on the preferred side, on the other one if only that has enough space, and moved
 * along the anchor until it is inside the window. All in px of the window.
 * @param rtl  swaps start and end, left and right
 */
export function computePosition(
  anchor: Rect,
  floating: { width: number; height: number },
  view: { width: number; height: number },
  placement: Placement,
  gap: number,
  rtl = false,
): { left: number; top: number; side: Side } {
  const [wished, align = 'center'] = placement.split('-') as [Side, ('start' | 'end')?]
  const first = rtl && (wished === 'left' || wished === 'right') ? opposite[wished] : wished
  const room: Record<Side, number> = {
    top: anchor.top - gap - margin - floating.height,
    bottom: view.height - margin - (anchor.top + anchor.height + gap + floating.height),
    left: anchor.left - gap - margin - floating.width,
    right: view.width - margin - (anchor.left + anchor.width + gap + floating.width),
  }
  const side = room[first] >= 0 || room[opposite[first]] <= room[first] ? first : opposite[first]
  const isColumn = side === 'top' || side === 'bottom'
  const atStart = align === 'center' ? null : (align === 'start') !== (rtl && isColumn)

  const along = (start: number, length: number, own: number): number =>
    atStart === null ? start + (length - own) / 2 : atStart ? start : start + length - own
  const left = isColumn
    ? along(anchor.left, anchor.width, floating.width)
    : side === 'left'
      ? anchor.left - gap - floating.width
      : anchor.left + anchor.width + gap
  const top = isColumn
    ? side === 'top'
      ? anchor.top - gap - floating.height
      : anchor.top + anchor.height + gap
    : along(anchor.top, anchor.height, floating.height)
  return {
    left: within(left, floating.width, view.width),
    top: within(top, floating.height, view.height),
    side,
  }
}

const within = (start: number, own: number, view: number): number =>
  Math.max(margin, Math.min(start, view - margin - own))
