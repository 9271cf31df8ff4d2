import type { ServerResponse } from 'node:http'

// A property instead of a `WeakMap`: with one, responses and what they refer to outlive the collection of young objects.
const closeHandlers = Symbol('close handlers')

type WatchedResponse = ServerResponse & { [closeHandlers]?: (() => void)[] }

/**
 * Calls a function when the response is complete or its connection has closed. All handlers of a response share one listener: each
 * listener has a cost, and Node.js warns about more than ten.
 */
export function onClose(response: WatchedResponse, handler: () => void): void {
  const existing = response[closeHandlers]
  if (existing) {
    existing.push(handler)
    return
  }
  const handlers = [handler]
  response[closeHandlers] = handlers
  response.once('close', () => {
    for (const each of handlers) each()
  })
}
