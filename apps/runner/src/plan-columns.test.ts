import { cellAt, buildFrame } from '@parquetry/frame'
import { expect, it } from 'vitest'
import { applyPlanColumns } from './plan-columns.ts'

const values = (frame: ReturnType<typeof buildFrame>) =>
  Object.fromEntries(
    frame.columns.map((column) => [column.name, Array.from({ length: frame.rows }, (_, row) => cellAt(column, row))]),
  )

it('gives columns the labels of the plan, by position', () => {
  const frame = applyPlanColumns(buildFrame({ a: [1], b: ['x'] }), [
    { name: 'A long label', kind: null },
    { name: 'b', kind: null },
  ])
  expect(values(frame)).toEqual({ 'A long label': [1], b: ['x'] })
})

it('adds suffixes to duplicate names when there is no plan', () => {
  const [column] = buildFrame({ a: [1] }).columns
  const { columns } = applyPlanColumns({ rows: 1, columns: [column!, column!, { ...column!, name: 'b' }, column!] }, [])
  expect(columns.map(({ name }) => name)).toEqual(['a', 'a__1', 'b', 'a__2'])
})

it('regression: gives duplicate columns no name that another column has, also without rows', () => {
  const names = ['a', 'a', 'a__1']
  const columns = names.map((name) => ({ ...buildFrame({ a: [] as number[] }).columns[0]!, name }))
  expect(applyPlanColumns({ rows: 0, columns }, []).columns.map(({ name }) => name)).toEqual(['a', 'a__2', 'a__1'])
})

it('regression: text metrics keep all digits', () => {
  const frame = applyPlanColumns(buildFrame({ n: ['9007199254740993', null, '1.5'] }), [
    { name: 'n', kind: null, isMetric: true },
  ])
  expect(frame.columns[0]).toMatchObject({ kind: 'string', numeric: true })
  expect(values(frame)['n']).toEqual(['9007199254740993', null, '1.5'])
})

it('parses times by the format of the dataset and adds its hour offset', () => {
  const frame = applyPlanColumns(
    buildFrame({ day: ['2019-02-03', null, 'x'], year: [2019, 2020, null], t: [new Date(0), null, null] }),
    [
      { name: 'day', kind: 'time', dateFormat: '%Y-%m-%d', hourOffset: 2 },
      { name: 'year', kind: 'time', dateFormat: '%Y' },
      { name: 't', kind: 'time', hourOffset: -1 },
    ],
  )
  expect(frame.columns.map(({ kind }) => kind)).toEqual(['time', 'time', 'time'])
  expect(values(frame)).toEqual({
    day: [Date.UTC(2019, 1, 3, 2), null, null],
    year: [Date.UTC(2019, 0), Date.UTC(2020, 0), null],
    t: [-3_600_000, null, null],
  })
})

it('converts text metrics to numbers, all values or none', () => {
  const planned = ['a', 'b', 'c'].map((name) => ({ name, kind: null, isMetric: true }))
  const frame = applyPlanColumns(buildFrame({ a: ['1.5', null, '2'], b: ['1', 'x', '2'], c: ['', '1', '2'] }), planned)
  expect(frame.columns.map(({ kind }) => kind)).toEqual(['number', 'string', 'string'])
  expect(values(frame)['a']).toEqual([1.5, null, 2])
})
