import { expect, it } from 'vitest'
import { readLikePattern, toLikePattern, type PatternShape } from './like-pattern.ts'

it('builds a pattern that finds a text as it is, and reads it again', () => {
  expect(toLikePattern(String.raw`50%_\x`)).toBe(String.raw`%50\%\_\\x%`)
  for (const text of ['a', '50%', '%', '_', '\\', '\\%', 'a%b_c\\', 'line\nbreak'])
    for (const shape of ['contains', 'starts', 'ends'] satisfies PatternShape[])
      expect(readLikePattern(toLikePattern(text, shape))).toEqual({ shape, text })
})

it('reads no pattern with other wildcards', () => {
  for (const pattern of ['a', 'a%b', '%a_c%', '%%', '%', '', '\\%', '%a\\', null, 7])
    expect(readLikePattern(pattern)).toBeNull()
})
