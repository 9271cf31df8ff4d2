import { toWire } from '@parquetry/model'
import { expect, it } from 'vitest'
import { Reply } from './reply.ts'

it('regression: hides the library message of an unexpected runner error from the caller', async () => {
  const reply = new Reply({ silenceMs: 1000, taken: () => {}, left: () => {}, silent: () => {} })
  reply.receive({ type: 'error', job: 1, error: toWire(new Error("ENOENT, open '/home/me/secret'")) }, Buffer.of())
  const failure = (await reply.answer.catch((error: unknown) => error)) as Error
  expect(failure.message).toContain('Something went wrong on the server')
  expect((failure.cause as Error).message).toContain('/home/me/secret')
})

it('acknowledges bytes only while the runner may wait to send more', async () => {
  const taken: number[] = []
  const reply = new Reply({ silenceMs: 1000, taken: (bytes) => taken.push(bytes), left: () => {}, silent: () => {} })
  const body = (text: string) => Buffer.from(text)
  reply.receive({ type: 'header', job: 1, header: {} }, Buffer.of())
  reply.receive({ type: 'bytes', job: 1 }, body('first'))
  const { chunks } = await reply.stream()
  const iterator = chunks[Symbol.asyncIterator]()
  expect(String((await iterator.next()).value)).toBe('first')
  reply.receive({ type: 'bytes', job: 1 }, body('last'))
  reply.receive({ type: 'end', job: 1, totals: { rowcount: 1, truncated: false } }, Buffer.of())
  expect(String((await iterator.next()).value)).toBe('last')
  expect((await iterator.next()).done).toBe(true)
  expect(taken).toEqual([5])
})
