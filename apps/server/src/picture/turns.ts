import { Line } from '../concurrency/line.ts'

/** So many pictures of one person at once: what they are drawn from is held in memory as a whole. */
const most = 2

/** Makes everybody wait for pictures of his own alone. Whoever leaves while he waits is out of the line. */
export function turns() {
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
