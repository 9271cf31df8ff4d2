import { ApiError } from '@parquetry/client'
import { expect, it } from 'vitest'
import { parseRisonMask, readLinkPart } from './link-part.ts'

/** Reads that end like this, one after the other, and the number of calls. */
function reads(...ends: (ApiError | object | null)[]) {
  const calls = { count: 0 }
  const read = async () => {
    const end = ends[calls.count++]
    if (end instanceof Error) throw end
    return end ?? null
  }
  return { read, calls }
}
const failed = (status: number) => new ApiError(status, 'Error')

it('a part that the link does not have is not missing', async () => {
  const { read, calls } = reads()
  expect(await readLinkPart(undefined, read)).toEqual({ value: null, missing: null })
  expect(await readLinkPart('', read)).toEqual({ value: null, missing: null })
  expect(calls.count).toBe(0)
})

it.each([404, 403, 400, 410, 422])(
  'regression: filters refused with %i are gone, without another attempt',
  async (status) => {
    const { read, calls } = reads(failed(status))
    expect(await readLinkPart('key', read)).toEqual({ value: null, missing: 'gone' })
    expect(calls.count).toBe(1)
  },
)

it.each([0, 500, 503, 429])('regression: filters that fail with %i are read once more', async (status) => {
  const { read, calls } = reads(failed(status), { a: {} })
  expect(await readLinkPart('key', read)).toEqual({ value: { a: {} }, missing: null })
  expect(calls.count).toBe(2)
  const again = reads(failed(status), failed(status))
  expect(await readLinkPart('key', again.read)).toEqual({ value: null, missing: 'failed' })
  expect(again.calls.count).toBe(2)
})

it('filters that cannot be understood are gone', async () => {
  expect(await readLinkPart('key', reads(null).read)).toEqual({ value: null, missing: 'gone' })
  for (const text of ['(a:', 'x', '!(1,2)', '!n'])
    expect(parseRisonMask(text), text).toEqual({ value: null, missing: 'gone' })
  expect(parseRisonMask('(a:(id:a))')).toEqual({ value: { a: { id: 'a' } }, missing: null })
  expect(parseRisonMask(undefined)).toEqual({ value: null, missing: null })
})
