import type { CDPSession } from '@vitest/browser-playwright'
import { cdp } from 'vitest/browser'

const send = (type: 'mousePressed' | 'mouseMoved' | 'mouseReleased', x: number, y: number) => {
  // The test stands in a frame of the page that the browser shows.
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

/** The mouse step by step, in px of the window: for what stands between the press and the release. */
export const mouse = {
  down: (x: number, y: number) => send('mousePressed', x, y),
  move: (x: number, y: number) => send('mouseMoved', x, y),
  up: (x: number, y: number) => send('mouseReleased', x, y),
}
