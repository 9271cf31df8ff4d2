import { expect, it } from 'vitest'
import { buildMark } from './marks.ts'

it('regression: a mark without a value is called as null is called everywhere, and asks for null', () => {
  const mark = buildMark({ key: { region: null, maker: 'ford' }, values: { n: 1 }, name: 'n' }, {})
  expect(mark.label).toBe('∅, ford')
  expect(mark.filters).toEqual([
    { col: 'region', op: 'IS NULL' },
    { col: 'maker', op: '==', val: 'ford' },
  ])
})
