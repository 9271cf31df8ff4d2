import type { Frame } from '@parquetry/frame'
import { toFrames, type FixtureColumn } from './frames.ts'

/**
 * Returns responses that chart authors do not expect: one name and one number per row, and a flag for those with nothing to draw.
 */
export function buildHostileFrames(name: string, metric: string): Record<string, { rows: Frame; isEmpty: boolean }> {
  const of = (names: FixtureColumn['values'], numbers: FixtureColumn['values'], isEmpty = false) => ({
    rows: toFrames({
      rows: [
        { name, values: names },
        { name: metric, values: numbers },
      ],
    }).rows as Frame,
    isEmpty,
  })
  const many = Array.from({ length: 10_000 }, (_, index) => index)
  const odd = [
    '<script>alert(1)</script>',
    'مرحبا بالعالم',
    '👩‍👩‍👧‍👦',
    '{a|b}{b}',
    '',
    '∅',
    'a\nb',
    '__proto__',
    'constructor',
  ]
  return {
    'no rows': of([], [], true),
    'one row': of(['a'], [3]),
    'only nulls': of([null, null], [null, null], true),
    'only negative numbers': of(['a', 'b'], [-3, -5], true),
    'negative numbers among others': of(['a', 'b', 'c'], [4, -5, 2]),
    zeros: of(['a', 'b'], [0, 0], true),
    'NaN and infinities': of(['a', 'b', 'c'], [Number.NaN, Infinity, -Infinity], true),
    'an infinite number among others': of(['a', 'b'], [Infinity, 2]),
    'the largest and the smallest number': of(['a', 'b'], [Number.MAX_VALUE, Number.MIN_VALUE]),
    'ten thousand categories': of(
      many.map((index) => `category ${index}`),
      many.map((index) => 10_000 - index),
    ),
    'very long labels': of(['x'.repeat(10_000), '日本'.repeat(5000)], [2, 1]),
    'odd labels': of(
      odd,
      odd.map((_, index) => odd.length - index),
    ),
    'the same label twice': of(['a', 'a'], [1, 2]),
  }
}
