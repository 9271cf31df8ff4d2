import { expect, it } from 'vitest'
import { buildSpecContext } from '../spec-context.ts'
import { toFrames } from '../testing/frames.ts'
import { buildItems } from './items.ts'
import { buildHierarchy } from './hierarchy.ts'

const { rows } = toFrames({
  rows: [
    { name: 'kind', values: ['a', 'b', 'c', 'd'] },
    { name: 'n', values: [1, Infinity, Number.NaN, null] },
  ],
})
const frame = rows!
const [kind, n] = frame.columns

it('regression: an infinite value does not reduce all shares and areas to zero', () => {
  const items = buildItems(frame, { groupby: ['kind'], metric: 'n', date_format: 'smart_date' }, buildSpecContext({}))
  expect(items.map(({ name, value }) => [name, value])).toEqual([
    ['a', 1],
    ['b', null],
    ['c', null],
    ['d', null],
  ])
  expect(items[1]?.key).toEqual({ kind: 'b' })
  expect(buildHierarchy(frame, [kind!], n!, (_, cell) => String(cell)).map(({ value }) => value)).toEqual([
    1,
    null,
    null,
    null,
  ])
})

it('a response without the metric has no marks', () => {
  expect(buildItems(frame, { groupby: ['kind'], metric: 'm', date_format: '%Y' }, buildSpecContext({}))).toEqual([])
})
