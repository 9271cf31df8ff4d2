import { expect, it } from 'vitest'
import { buildMark } from './marks.ts'

it('regression: labels a mark without a value as null and filters by IS NULL', () => {
  const mark = buildMark({ key: { region: null, maker: 'ford' }, values: { n: 1 }, name: 'n' }, {})
  expect(mark.label).toBe('∅, ford')
  expect(mark.filters).toEqual([
    { col: 'region', op: 'IS NULL' },
    { col: 'maker', op: '==', val: 'ford' },
  ])
})
