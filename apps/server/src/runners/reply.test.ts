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
