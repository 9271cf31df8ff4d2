import { encodeMessage, buildFrame } from '@parquetry/frame'
import { framesType } from '@parquetry/model/plan'
import { afterEach, expect, it, vi } from 'vitest'
import { readResponse } from './read-response.ts'

// Modules register listeners for the server's availability when they load.
vi.hoisted(() => vi.stubGlobal('addEventListener', () => {}))

afterEach(() => void vi.useRealTimers())

const rowsMessage = (count: number) =>
  encodeMessage({ type: 'frame' }, buildFrame({ n: Array.from({ length: count }, (_, index) => index) }))
const answer = encodeMessage({ type: 'answer', answer: { query: { id: 'q' } } })

/** A response whose messages arrive at this interval in milliseconds. */
const arriving = (messages: readonly Uint8Array[], everyMs: number): Response => {
  const rest = [...messages]
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const next = rest.shift()
      vi.advanceTimersByTime(everyMs)
      if (next) controller.enqueue(next as Uint8Array<ArrayBuffer>)
      else controller.close()
    },
  })
  return new Response(body, { headers: { 'content-type': framesType } })
}

it.each([
  ['come at once: nothing is said before the end', 1, []],
  ['take their time: the page hears how many there are', 300, [10, 20, 30]],
])('rows that %s', async (_, everyMs, heard) => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout'] })
  const reportedCounts: number[] = []
  const messages = [answer, rowsMessage(10), rowsMessage(10), rowsMessage(10), answer]
  const read = await readResponse(arriving(messages, everyMs), (rows) => reportedCounts.push(rows))
  expect('frame' in read && read.frame.rows).toBe(30)
  expect(reportedCounts).toEqual(heard)
})
