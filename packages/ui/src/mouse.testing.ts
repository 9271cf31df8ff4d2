import type { CDPSession } from '@vitest/browser-playwright'
import { cdp } from 'vitest/browser'

const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number) => {
  // The test runs in a frame of the browser's page.
  const frame = window.frameElement?.getBoundingClientRect()
  const at = { x: x + (frame?.left ?? 0), y: y + (frame?.top ?? 0) }
  return (cdp() as CDPSession).send('Input.dispatchMouseEvent', {
    type,
    ...at,
    button: 'left',
    buttons: 1,
    clickCount: 1,
  })
}

/** Separate mouse events, in px of the window, for checks between press and release. */
export const mouse = {
  down: (x: number, y: number) => send('mousePressed', x, y),
  move: (x: number, y: number) => send('mouseMoved', x, y),
  up: (x: number, y: number) => send('mouseReleased', x, y),
}
