import { buildFrame, encodeMessage } from '@parquetry/frame'
import type { Picture } from '@parquetry/model'
import { expect, it } from 'vitest'
import { drawingKey } from './drawing-key.ts'

const picture: Picture = {
  format: 'png',
  theme: 'light',
  themeVariables: {},
  locale: 'en',
  messages: {},
  timeZone: 'UTC',
  title: 'Sales',
  at: 0,
  charts: [],
  fonts: null,
  metadata: {},
  isAnalogous: false,
  page: { width: 400, height: 300 },
}
const result = (chart: number, n: number, more: object = {}) =>
  encodeMessage({ type: 'frame', chart, is_cached: false, cached_dttm: null, ...more }, buildFrame({ n: [n] }))
const keyOf = (messages: Uint8Array[], change: Partial<Picture> = {}) =>
  drawingKey({ picture: { ...picture, ...change }, messages: Buffer.concat(messages) })

const key = keyOf([result(1, 10), result(2, 20)])

it('is the same for the same results, in any order, from the cache or not, at any time', () => {
  const cached = { is_cached: true, cached_dttm: '2024-01-01T00:00:00' }
  const beat = encodeMessage({ type: 'beat' })
  expect(keyOf([beat, result(2, 20, cached), result(1, 10, cached)], { at: 5 })).toBe(key)
})

it('differs with everything that is drawn: rows that row-level security hides, document, theme, language', () => {
  const others = [
    keyOf([result(1, 10), result(2, 21)]),
    keyOf([result(1, 20), result(2, 10)]),
    keyOf([result(1, 10)]),
    keyOf([result(1, 10), result(2, 20)], { theme: 'dark' }),
    keyOf([result(1, 10), result(2, 20)], { locale: 'de' }),
    keyOf([result(1, 10), result(2, 20)], { title: 'Sales of today' }),
  ]
  expect(new Set([key, ...others]).size).toBe(others.length + 1)
})
