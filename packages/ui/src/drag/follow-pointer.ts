export interface PointerFollower {
  /** The press has become a drag: it moved further than the threshold. */
  start?(at: PointerEvent): void
  move(at: PointerEvent): void
  /** Released. The place of the release, which need not be that of the last move. */
  end(at: PointerEvent): void
  /** Escape, the browser's own cancel, or another button: put everything back. */
  cancel?(): void
}

/**
 * Follows one press of the main button, of mouse, pen or touch, until its end; a press that stays within `thresholdPx` is a
 * click and calls nothing. The element needs `touch-action: none`. The click that would follow a drag is swallowed.
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
  // On the window: until the drag has begun no capture brings back what happens outside of the target.
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
  // A drag across the page selects none of its text.
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
