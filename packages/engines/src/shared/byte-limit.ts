import type { Socket } from 'node:net'
import { resultTooLarge } from './too-large.ts'

/**
 * Waits for a result that its client reads completely into memory, as long as the connection receives at most `most` bytes.
 * @param cut  closes the connection before more is read
 * @throws AppError `result_too_large`
 */
export async function withByteLimit<T>(
  stream: Socket,
  maxBytes: number,
  answer: Promise<T>,
  cut: () => void,
): Promise<T> {
  const { promise: tooMuch, reject } = Promise.withResolvers<never>()
  const before = stream.bytesRead
  const count = () => {
    if (stream.bytesRead - before <= maxBytes) return
    reject(resultTooLarge(maxBytes))
    cut()
  }
  stream.prependListener('data', count)
  try {
    return await Promise.race([answer, tooMuch])
  } finally {
    stream.off('data', count)
  }
}
