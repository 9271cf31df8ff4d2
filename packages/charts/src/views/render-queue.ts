import { flushSync } from 'react-dom'
import { yieldToEventLoop } from './yield-to-event-loop.ts'

let lastRender = Promise.resolve()

/** Many pictures wait for the same code: each is drawn in a task of its own when it comes. What fails is said where it should stand. */
export function enqueueRender(draw: () => void): void {
  lastRender = lastRender.then(() => flushSync(draw)).then(yieldToEventLoop, yieldToEventLoop)
}
