import { useRef, useState, type CSSProperties, type KeyboardEvent, type PointerEvent, type ReactNode } from 'react'
import styles from './SplitPane.module.css'

export interface SplitPaneProps {
  /** Key under which the browser stores the size (CONST-031). Another name has another size, and the panes stay mounted. */
  name: string
  /** Name of the resize handle for screen readers, after what it resizes. */
  label: string
  /** `row` lays the panes side by side, `column` one above the other. */
  direction?: 'row' | 'column'
  /** The pane with the fixed size; the other one takes the remaining space. */
  sized?: 'first' | 'second'
  size: number
  min?: number
  max?: number
  first: ReactNode
  second: ReactNode
  /** Shows a single pane without handle; both stay mounted. */
  only?: 'first' | 'second' | undefined
}

const stepPx = 16
const storageKey = (name: string): string => `parquetry.pane.${name}`
const readStoredSize = (name: string): number => Number(localStorage.getItem(storageKey(name)))

/** Two panes with a resize handle of 8 px: drag, arrow keys by 16 px, double click to reset. */
export function SplitPane({
  name,
  label,
  direction = 'row',
  sized = 'first',
  size,
  min = 160,
  max = 800,
  first,
  second,
  only,
}: SplitPaneProps) {
  const [stored, setStored] = useState({ name, size: readStoredSize(name) })
  const now = (stored.name === name ? stored.size : readStoredSize(name)) || size
  const drag = useRef<{ at: number; from: number } | null>(null)
  const row = direction === 'row'

  const set = (next: number): void => {
    const inside = Math.round(Math.min(max, Math.max(min, next)))
    setStored({ name, size: inside })
    localStorage.setItem(storageKey(name), String(inside))
  }
  const sign = (target: Element): number =>
    (sized === 'first' ? 1 : -1) * (row && getComputedStyle(target).direction === 'rtl' ? -1 : 1)
  const place = (event: PointerEvent): number => (row ? event.clientX : event.clientY)

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const forward = row ? 'ArrowRight' : 'ArrowDown'
    const back = row ? 'ArrowLeft' : 'ArrowUp'
    if (event.key !== forward && event.key !== back) return
    event.preventDefault()
    set(now + stepPx * (event.key === forward ? 1 : -1) * sign(event.currentTarget))
  }

  const pane = (which: 'first' | 'second', content: ReactNode) => (
    <div
      className={sized === which && !only ? styles.sized : styles.rest}
      hidden={only !== undefined && only !== which}
    >
      {content}
    </div>
  )
  return (
    <div className={styles.split} data-direction={direction} style={{ '--size': `${now}px` } as CSSProperties}>
      {pane('first', first)}
      {!only && (
        <div
          role="separator"
          tabIndex={0}
          aria-label={label}
          aria-orientation={row ? 'vertical' : 'horizontal'}
          aria-valuenow={now}
          aria-valuemin={min}
          aria-valuemax={max}
          className={styles.grip}
          onKeyDown={onKeyDown}
          onDoubleClick={() => set(size)}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId)
            drag.current = { at: place(event), from: now }
          }}
          onPointerMove={(event) => {
            if (drag.current) set(drag.current.from + (place(event) - drag.current.at) * sign(event.currentTarget))
          }}
          onPointerUp={() => (drag.current = null)}
          onPointerCancel={() => (drag.current = null)}
        />
      )}
      {pane('second', second)}
    </div>
  )
}
