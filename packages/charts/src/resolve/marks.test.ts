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

const january = Date.UTC(2024, 0, 1)
const along = { column: 'ts', value: january, axis: 'time' as const }
const monthly = { x_axis: 'ts', time_grain_sqla: 'P1M' }
const period = { col: 'ts', op: '==', val: january, grain: 'P1M' }

it('C074: a mark without dimensions filters by its period, and drills into it', () => {
  const mark = buildMark({ key: {}, along, values: { n: 2 }, name: 'n' }, monthly)
  expect(mark).toMatchObject({ filters: [period], drill: [period], key: { ts: january }, label: 'January 2024' })
  const quarter = buildMark(
    { key: {}, along, values: { n: 2 }, name: 'n' },
    { ...monthly, time_grain_sqla: 'P3M' },
    'de',
  )
  expect(quarter).toMatchObject({ filters: [{ ...period, grain: 'P3M' }], key: { ts: january } })
})

it('C074: a mark with dimensions filters by these alone, and drills into its period as well', () => {
  const mark = buildMark({ key: { g: 'a' }, along, values: { n: 2 }, name: 'a' }, monthly)
  const a = { col: 'g', op: '==', val: 'a' }
  expect(mark).toMatchObject({ filters: [a], drill: [a, period], key: { g: 'a' }, label: 'a' })
})
