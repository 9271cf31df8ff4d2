import { expect, it } from 'vitest'
import { embedCode } from './LinkForm.tsx'

it('the embed code shows only the chart, and no title can break out of it', () => {
  const code = embedCode('https://reports.example/superset/explore/p/k1/', `Rain "by" <month> & day`)
  const frame = new DOMParser().parseFromString(code, 'text/html').querySelector('iframe')!
  const { pathname, searchParams } = new URL(frame.src)
  expect([pathname, searchParams.get('standalone'), searchParams.get('height')]).toEqual([
    '/superset/explore/p/k1/',
    '1',
    '400',
  ])
  expect(frame.title).toBe('Rain "by" <month> & day')
  expect(new DOMParser().parseFromString(code, 'text/html').body.children).toHaveLength(1)
})
