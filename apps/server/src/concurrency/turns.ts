import { Line } from './line.ts'

/** Lets everybody do `most` things at once and wait for his own alone. Whoever leaves while he waits is out of the line. */
export function turns(most: number) {
  const lines = new Map<string, Line>()
  return async <T>(person: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(person) ?? new Line(most)
    lines.set(person, line)
    try {
      const leave = await line.join({ person, signal }).given
      try {
        return await work()
      } finally {
        leave()
      }
    } finally {
      if (line.held === 0 && line.waiting === 0) lines.delete(person)
    }
  }
}
