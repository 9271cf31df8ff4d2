import { flushSync } from 'react-dom'
import { nextTask } from './next-task.ts'

let lastTurn = Promise.resolve()

/** Many pictures wait for the same code: each is drawn in a task of its own when it comes. What fails is said where it should stand. */
export function inTurn(draw: () => void): void {
  lastTurn = lastTurn.then(() => flushSync(draw)).then(nextTask, nextTask)
}
