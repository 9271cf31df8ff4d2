import type { LostName } from '@parquetry/model'
import { expect, it } from 'vitest'
import { loadChart } from '../registry.ts'
import { withRenames } from './fields-used.ts'
import { lostIn, mayNameLost, renamesOf } from './lost-names.ts'

const lost = (kind: LostName['kind'], name: string, now: string | null): LostName => ({
  kind,
  name,
  now,
  by: 'Ana',
  at: '2026-01-02T03:04:05.000',
})
const all = [
  lost('column', 'area', 'region'),
  lost('column', 'gone', null),
  lost('column', 'elsewhere', 'here'),
  lost('metric', 'turnover', 'revenue'),
]
const filter = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'gone', operator: '==', comparator: 'elsewhere' }
const form = { viz_type: 'table', groupby: ['area'], metrics: ['turnover'], adhoc_filters: [filter] }
const dataset = { columns: [{ column_name: 'region' }], metrics: [{ metric_name: 'revenue' }] }

it('DSET-018: finds the lost names that a form uses, filters among them, and puts in those that have a new one', async () => {
  const table = await loadChart('table')
  expect(mayNameLost(table, form, dataset)).toBe(true)
  const found = lostIn(table, form, all)
  expect(found.map(({ name }) => name)).toEqual(['area', 'gone', 'turnover'])
  const mended = withRenames(table, form, renamesOf(found))
  expect(mended).toEqual({ ...form, groupby: ['region'], metrics: ['revenue'] })
  expect(lostIn(table, mended, all).map(({ name }) => name)).toEqual(['gone'])
})

it('finds nothing in a form that names what is there', async () => {
  const table = await loadChart('table')
  const fine = { viz_type: 'table', groupby: ['region'], metrics: ['revenue'], color_scheme: 'area' }
  expect(mayNameLost(table, fine, dataset)).toBe(false)
  expect(lostIn(table, fine, all)).toEqual([])
})
