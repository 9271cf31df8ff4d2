import type { PointerEvent } from 'react'

export interface ColumnResizeHandleProps {
  /** Current width of the column in px. */
  width: number
  className: string | undefined
  onWidth(width: number): void
}

/** Drag handle at the end of a heading that resizes its column; keys do so through `GridKeyActions.ownKey`. */
export function ColumnResizeHandle({ width, className, onWidth }: ColumnResizeHandleProps) {
  const begin = (event: PointerEvent<HTMLElement>) => {
    event.preventDefault()
    event.stopPropagation()
    const grip = event.currentTarget
    const sign = getComputedStyle(grip).direction === 'rtl' ? -1 : 1
    const begun = event.clientX
    grip.setPointerCapture(event.pointerId)
    grip.onpointermove = (move) => onWidth(width + sign * (move.clientX - begun))
    grip.onpointerup = () => (grip.onpointermove = null)
  }
  return <span className={className} aria-hidden onPointerDown={begin} onClick={(event) => event.stopPropagation()} />
}
