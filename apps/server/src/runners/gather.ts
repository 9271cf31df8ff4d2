/** All pieces of what arrives. */
export async function gather<T>(arriving: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of arriving) all.push(one)
  return all
}
