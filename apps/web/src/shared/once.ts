/**
 * Creates a value on first use and caches it: the first formatter of a page costs more than all others, and few pages need one at
 * startup.
 */
export function once<T extends object>(make: () => T): () => T {
  let value: T | undefined
  return () => (value ??= make())
}
