/**
 * Returns the result of a promise, or throws the reason of the signal if that comes first.
 * @param late receives a result that came too late, to undo it
 */
export async function abortable<T>(promise: Promise<T>, signal: AbortSignal, late: (value: T) => unknown): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const abort = () => {
    reject(signal.reason)
    void promise.then(late, () => {})
  }
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
