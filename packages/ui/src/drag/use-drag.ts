import { type RefObject, useEffect, useRef } from 'react'
import { followPointer } from './follow-pointer.ts'

/** Marks the drag handle of `id`, for the pointer or Space. Needs a name and `tabIndex`, like a button. */
export const dragHandle = (id: string) => ({ 'data-drag-handle': id, style: { touchAction: 'none' } }) as const

/** Marks a drop target; drop targets may be nested. */
export const dropZone = (id: string) => ({ 'data-drop-zone': id }) as const

export interface DragPoint {
  /** In px of the window. */
  x: number
  y: number
  /** Drop targets under the pointer, innermost first. */
  zones: { id: string; element: HTMLElement }[]
}

/** A key pressed on the handle of the picked-up item. */
export type DragKey = 'left' | 'right' | 'up' | 'down' | 'narrower' | 'wider' | 'lower' | 'higher'

export interface DragEvents {
  start(id: string): void
  /** Called once per frame while dragging, also while the page scrolls under a resting pointer. */
  over(id: string, point: DragPoint): void
  drop(id: string, point: DragPoint): void
  /** Escape or a browser cancel: the caller must revert to the state before `start`. */
  cancel(id: string): void
  pickUp(id: string): void
  key(id: string, key: DragKey): void
  putDown(id: string): void
}

const edgePx = 60
const maxPxPerFrame = 16
/** Time during which the drop targets under a resting pointer are not looked up again. */
const hitTestTtlMs = 150

const keys: Readonly<Record<string, [plain: DragKey, shifted: DragKey]>> = {
  ArrowLeft: ['left', 'narrower'],
  ArrowRight: ['right', 'wider'],
  ArrowUp: ['up', 'lower'],
  ArrowDown: ['down', 'higher'],
}

/**
 * Drag and drop by pointer events below `root`, with event delegation: handles and zones are only marked, so that nothing renders
 * and nothing is lost when a tile remounts. By keyboard: Space picks up, arrows move, Shift-arrows resize, Enter or Space drops,
 * Escape cancels; the handle of the picked-up item keeps the focus.
 */
export function useDrag(
  root: RefObject<HTMLElement | null>,
  scroller: RefObject<HTMLElement | null>,
  events: DragEvents | null,
) {
  const latest = useRef(events)
  useEffect(() => {
    latest.current = events
  })
  const isOn = events !== null
  useEffect(() => {
    const element = root.current
    if (!element || !isOn) return
    const listeners = new AbortController()
    const emit: DragEvents = new Proxy({} as DragEvents, {
      get:
        (_, name: keyof DragEvents) =>
        (...values: [string, never]) =>
          latest.current?.[name](...values),
    })
    element.addEventListener('pointerdown', (down) => press(down, element, scroller, emit), {
      signal: listeners.signal,
    })
    listenToKeys(element, emit, listeners.signal)
    return () => listeners.abort()
  }, [root, scroller, isOn])
}

const findHandle = (event: Event) =>
  event.target instanceof Element ? event.target.closest<HTMLElement>('[data-drag-handle]') : null

function press(down: PointerEvent, root: HTMLElement, scroller: RefObject<HTMLElement | null>, events: DragEvents) {
  const handle = findHandle(down)
  const id = handle?.dataset.dragHandle
  if (!handle || id === undefined) return
  let at = { x: down.clientX, y: down.clientY }
  let frame = 0
  let mayScroll = false
  let over: DragPoint | null = null
  let seenAt = 0
  const tick = (now: number) => {
    const speed = scrollSpeed(scroller.current, at.y)
    if (speed === 0) mayScroll = true
    else if (mayScroll) scroller.current?.scrollBy(0, speed)
    // The targets under a resting pointer stay the same, unless the page scrolls or a tab has opened.
    const rests = over !== null && over.x === at.x && over.y === at.y && speed === 0
    if (!over || !rests || now - seenAt > hitTestTtlMs) {
      over = { ...at, zones: zonesAt(at.x, at.y) }
      seenAt = now
    }
    events.over(id, over)
    frame = requestAnimationFrame(tick)
  }
  const finish = () => {
    cancelAnimationFrame(frame)
    root.classList.remove('is-dragging')
  }
  followPointer(down, handle, {
    start() {
      root.classList.add('is-dragging')
      events.start(id)
      frame = requestAnimationFrame(tick)
    },
    move(event) {
      at = { x: event.clientX, y: event.clientY }
    },
    end(event) {
      const zones = zonesAt(event.clientX, event.clientY)
      finish()
      events.drop(id, { x: event.clientX, y: event.clientY, zones })
    },
    cancel() {
      finish()
      events.cancel(id)
    },
  })
}

function zonesAt(x: number, y: number): DragPoint['zones'] {
  const zones: DragPoint['zones'] = []
  let element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop-zone]') ?? null
  while (element) {
    zones.push({ id: element.dataset.dropZone ?? '', element })
    element = element.parentElement?.closest<HTMLElement>('[data-drop-zone]') ?? null
  }
  return zones
}

/** Returns the speed in px per frame, which increases toward the edge. */
function scrollSpeed(scroller: HTMLElement | null, y: number): number {
  if (!scroller) return 0
  const { top, bottom } = scroller.getBoundingClientRect()
  if (y < top + edgePx) return -maxPxPerFrame * Math.min(1, (top + edgePx - y) / edgePx)
  if (y > bottom - edgePx) return maxPxPerFrame * Math.min(1, (y - bottom + edgePx) / edgePx)
  return 0
}

function listenToKeys(root: HTMLElement, events: DragEvents, signal: AbortSignal) {
  let picked: string | null = null
  let refocusing = 0
  const refocus = (id: string) => {
    refocusing = requestAnimationFrame(() => {
      const selector = `[data-drag-handle="${CSS.escape(id)}"]`
      root.querySelector<HTMLElement>(selector)?.focus({ preventScroll: false })
    })
  }
  const putDown = () => {
    const id = picked
    picked = null
    if (id !== null) events.putDown(id)
  }
  const act = (id: string, event: KeyboardEvent): boolean => {
    if (picked !== id) {
      if (event.key !== ' ') return false
      putDown()
      picked = id
      events.pickUp(id)
      return true
    }
    const moves = keys[event.key]
    if (moves) events.key(id, event.shiftKey ? moves[1] : moves[0])
    else if (event.key === 'Enter' || event.key === ' ') putDown()
    else if (event.key === 'Escape' || event.key === 'Tab') {
      picked = null
      events.cancel(id)
      return event.key === 'Escape'
    } else return false
    return true
  }
  // Pressing the pointer ends a drag by keyboard.
  root.addEventListener('pointerdown', putDown, { signal, capture: true })
  root.addEventListener(
    'keydown',
    (event) => {
      const handle = findHandle(event)
      const id = handle?.dataset.dragHandle
      if (!handle || handle !== event.target || id === undefined || event.ctrlKey || event.metaKey || event.altKey)
        return
      cancelAnimationFrame(refocusing)
      if (!act(id, event)) return
      event.preventDefault()
      event.stopPropagation()
      refocus(id)
    },
    { signal },
  )
}
