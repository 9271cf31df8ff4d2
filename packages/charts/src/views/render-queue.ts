import { flushSync } from 'react-dom'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

let lastRender = Promise.resolve()

/** Draws each of the charts that wait for the same code in a separate task. Errors are shown where the chart would be. */
export function enqueueRender(draw: () => void): void {
  lastRender = lastRender.then(() => flushSync(draw)).then(yieldToEventLoop, yieldToEventLoop)
}
