/** Calls started by a script of `index.html`, by address. */
declare global {
  var firstCalls: Record<string, Promise<Response>> | undefined
}

/** Older responses may be stale. */
const freshMs = 15_000

/** Returns the response of a call that the page started before its scripts loaded, once per call. */
export function takePrefetched(address: string): Promise<Response> | undefined {
  const calls = globalThis.firstCalls
  if (!calls || !Object.hasOwn(calls, address)) return undefined
  const answer = calls[address]
  delete calls[address]
  return performance.now() < freshMs ? answer : undefined
}
