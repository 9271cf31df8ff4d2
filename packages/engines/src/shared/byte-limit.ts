import type { Socket } from 'node:net'
import { resultTooLarge } from './too-large.ts'

/**
 * Waits for an answer whose client holds what it reads at once, as long as its connection brings no more than `most` bytes.
 * @param cut  ends the connection, before more is read
 * @throws AppError `result_too_large`
 */
export async function withByteLimit<T>(stream: Socket, most: number, answer: Promise<T>, cut: () => void): Promise<T> {
  const { promise: tooMuch, reject } = Promise.withResolvers<never>()
  const before = stream.bytesRead
  const count = () => {
    if (stream.bytesRead - before <= most) return
    reject(resultTooLarge(most))
    cut()
  }
  stream.prependListener('data', count)
  try {
    return await Promise.race([answer, tooMuch])
  } finally {
    stream.off('data', count)
  }
}
