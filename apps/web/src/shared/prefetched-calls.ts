/** Begun by a script of `index.html`, by address. */
declare global {
  var firstCalls: Record<string, Promise<Response>> | undefined
}

/** Later they may be out of date. */
const freshMs = 15_000

/** The answer of a call that the page began before its scripts were there; each is given once. */
export function takePrefetched(address: string): Promise<Response> | undefined {
  const calls = globalThis.firstCalls
  if (!calls || !Object.hasOwn(calls, address)) return undefined
  const answer = calls[address]
  delete calls[address]
  return performance.now() < freshMs ? answer : undefined
}
