import type { Picture } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { code, neverAborted, startTestRunners, type TestRunners, until } from './testing.ts'

let test: TestRunners
beforeAll(async () => {
  test = await startTestRunners()
})
afterAll(() => test.close())

/** A dashboard with one text; laying out a million paragraphs takes half a minute. */
function picture(paragraphs: number): Picture {
  const meta = { code: 'word\n\n'.repeat(paragraphs) }
  const text = { id: 'TEXT', type: 'MARKDOWN', children: [], parents: [], meta }
  const root = { id: 'ROOT_ID', type: 'ROOT', children: ['TEXT'], parents: [], meta: {} }
  const page = { nodes: { ROOT_ID: root, TEXT: text }, tabs: null, filters: [], images: {} }
  const look = { format: 'svg', theme: 'light', locale: 'en', messages: {}, timeZone: 'UTC', title: 'T' } as const
  return { ...look, at: 0, charts: [], fonts: null, metadata: {}, isAnalogous: false, themeVariables: {}, page }
}
const draw = (paragraphs: number, who: string, signal = neverAborted) =>
  test.runners.draw(picture(paragraphs), Buffer.of(), signal, who)
const busyDrawers = () => test.runners.stats().runners.filter(({ kind, busy }) => kind === 'draw' && busy > 0)

it('large images of one user do not delay those of another, and cannot end them', async () => {
  expect((await draw(3, 'b')).toString()).toContain('<svg')
  const stop = new AbortController()
  const large = [1, 2, 3].map(() => draw(1_000_000, 'a', stop.signal).catch(code))
  await until(() => busyDrawers().length === 1)
  for (const who of ['b', 'c', 'b']) expect((await draw(3, who)).toString()).toContain('<svg')
  expect(busyDrawers(), 'one of the large ones is still drawn').toHaveLength(1)
  stop.abort()
  expect(await Promise.all(large)).toEqual(['query_stopped', 'query_stopped', 'query_stopped'])
  expect((await draw(3, 'a')).toString()).toContain('<svg')
})

it('drawing ends at its time limit, with a message that says so', async () => {
  const short = await startTestRunners({ drawMs: 1500 })
  try {
    await expect(short.runners.draw(picture(1_000_000), Buffer.of(), neverAborted, 'a')).rejects.toMatchObject({
      code: 'query_timeout',
      message: 'Drawing the image took longer than 2 seconds. Choose fewer charts, fewer rows or a smaller size.',
    })
  } finally {
    await short.close()
  }
})

it('regression: an image of more data than a message can hold is refused, and its process lives on', async () => {
  await draw(3, 'a')
  const pids = test.pids('draw')
  const data = Buffer.alloc((64 << 20) + 8)
  expect(await test.runners.draw(picture(3), data, neverAborted, 'a').catch(code)).toBe('result_too_large')
  expect(test.pids('draw')).toEqual(pids)
})
