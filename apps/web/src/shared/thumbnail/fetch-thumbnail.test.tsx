import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fetchThumbnail } from './fetch-thumbnail.ts'

/** Responses that were not given yet. */
let pending: { url: string; answer(response: Response): void }[] = []
const never = new AbortController().signal

beforeEach(() => {
  pending = []
  vi.useFakeTimers()
  vi.spyOn(globalThis, 'fetch').mockImplementation(
    (url) => new Promise((answer) => pending.push({ url: url as string, answer })),
  )
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})
const image = () => new Response('image', { status: 200 })
const answerNext = (response: Response): void => pending.shift()?.answer(response)

it('asks again while the server is drawing, and gives up when that takes too long', async () => {
  const blob = fetchThumbnail({ kind: 'chart', id: 3 }, never)
  await vi.waitFor(() => expect(pending.map(({ url }) => url)).toEqual(['/api/v1/chart/3/thumbnail/current/']))
  answerNext(new Response('{}', { status: 202 }))
  await vi.advanceTimersByTimeAsync(1000)
  expect(pending).toHaveLength(1)
  answerNext(image())
  expect(await (await blob)?.text()).toBe('image')

  const slow = fetchThumbnail({ kind: 'dashboard', name: 'sales' }, never)
  for (let call = 0; call < 6; call++) {
    await vi.advanceTimersByTimeAsync(16_000)
    answerNext(new Response('{}', { status: 202 }))
  }
  expect(await slow).toBeNull()
})

it('makes two calls at a time, and none for a thumbnail that is no longer wanted', async () => {
  const gone = new AbortController()
  const all = [1, 2, 3, 4].map((id) =>
    fetchThumbnail({ kind: 'chart', id }, id === 3 ? gone.signal : never).catch(() => 'gone'),
  )
  await vi.waitFor(() => expect(pending).toHaveLength(2))
  gone.abort()
  answerNext(image())
  await vi.waitFor(() => expect(pending.map(({ url }) => url.split('/')[4])).toEqual(['2', '4']))
  answerNext(image())
  answerNext(image())
  expect((await Promise.all(all))[2]).toBe('gone')
})
