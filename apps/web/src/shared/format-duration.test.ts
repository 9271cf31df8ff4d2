import { expect, it } from 'vitest'
import { formatDuration } from './format-duration.ts'

it('formats durations compactly', () => {
  expect([20, 9_994, 12_400, 72_000].map(formatDuration)).toEqual(['0.02 s', '9.99 s', '12 s', '1 min 12 s'])
})
