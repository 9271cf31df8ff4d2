export interface PointerFollower {
  /** Called when the pointer has moved beyond the threshold. */
  start?(at: PointerEvent): void
  move(at: PointerEvent): void
  /** Called on release, which may be at another position than the last move. */
  end(at: PointerEvent): void
  /** Called on Escape, a browser cancel, or another button: the caller must revert. */
  cancel?(): void
}

/**
 * Follows a press of the primary button, pen or touch until its end. A press within `thresholdPx` is a click and calls nothing.
 * The element needs `touch-action: none`. The click after a drag is suppressed.
 */
export function followPointer(
  down: PointerEvent,
  target: HTMLElement,
  follower: PointerFollower,
  thresholdPx = 4,
): void {
  if (down.button !== 0 || !down.isPrimary) return
  let hasStarted = false
  const listeners = new AbortController()
  const { signal } = listeners

  const stop = () => {
    listeners.abort()
    if (target.hasPointerCapture(down.pointerId)) target.releasePointerCapture(down.pointerId)
  }
  const cancel = () => {
    stop()
    if (hasStarted) follower.cancel?.()
  }
  // On the window: before the drag has begun there is no pointer capture for events outside the target.
  window.addEventListener(
    'pointermove',
    (at) => {
      if (at.pointerId !== down.pointerId) return
      if (!hasStarted) {
        if (Math.hypot(at.clientX - down.clientX, at.clientY - down.clientY) < thresholdPx) return
        hasStarted = true
        target.setPointerCapture(down.pointerId)
        follower.start?.(at)
      }
      follower.move(at)
    },
    { signal },
  )
  window.addEventListener(
    'pointerup',
    (at) => {
      if (at.pointerId !== down.pointerId) return
      stop()
      if (!hasStarted) return
      const swallow = (click: Event) => {
        click.preventDefault()
        click.stopPropagation()
      }
      window.addEventListener('click', swallow, { capture: true, once: true })
      setTimeout(() => window.removeEventListener('click', swallow, { capture: true }))
      follower.end(at)
    },
    { signal },
  )
  // Prevents text selection while dragging.
  window.addEventListener('selectstart', (begin) => begin.preventDefault(), { signal, capture: true })
  window.addEventListener('pointercancel', (at) => at.pointerId === down.pointerId && cancel(), { signal })
  window.addEventListener(
    'keydown',
    (key) => {
      if (key.key !== 'Escape') return
      key.preventDefault()
      key.stopPropagation()
      cancel()
    },
    { signal, capture: true },
  )
}
