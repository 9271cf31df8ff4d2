/** What is made at its first use and kept: the first format of a page costs it more than all others, and few pages need one to begin. */
export function once<T extends object>(make: () => T): () => T {
  let made: T | undefined
  return () => (made ??= make())
}
