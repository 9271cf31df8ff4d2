import type { MissingReference } from '@parquetry/model'
import { expect, it } from 'vitest'
import { loadChart } from '../registry.ts'
import { renameFields } from './fields-used.ts'
import { findMissingReferences, canHaveMissingReferences, toRenames } from './missing-references.ts'

const missingReference = (kind: MissingReference['kind'], name: string, now: string | null): MissingReference => ({
  kind,
  name,
  now,
  by: 'Ana',
  at: '2026-01-02T03:04:05.000',
})
const all = [
  missingReference('column', 'area', 'region'),
  missingReference('column', 'gone', null),
  missingReference('column', 'elsewhere', 'here'),
  missingReference('metric', 'turnover', 'revenue'),
]
const filter = { expressionType: 'SIMPLE', clause: 'WHERE', subject: 'gone', operator: '==', comparator: 'elsewhere' }
const form = { viz_type: 'table', groupby: ['area'], metrics: ['turnover'], adhoc_filters: [filter] }
const dataset = { columns: [{ column_name: 'region' }], metrics: [{ metric_name: 'revenue' }] }

it('DSET-018: finds missing references of a form, including those in filters, and applies new names', async () => {
  const table = await loadChart('table')
  expect(canHaveMissingReferences(table, form, dataset)).toBe(true)
  const found = findMissingReferences(table, form, all)
  expect(found.map(({ name }) => name)).toEqual(['area', 'gone', 'turnover'])
  const mended = renameFields(table, form, toRenames(found))
  expect(mended).toEqual({ ...form, groupby: ['region'], metrics: ['revenue'] })
  expect(findMissingReferences(table, mended, all).map(({ name }) => name)).toEqual(['gone'])
})

it('finds nothing in a form whose names exist', async () => {
  const table = await loadChart('table')
  const fine = { viz_type: 'table', groupby: ['region'], metrics: ['revenue'], color_scheme: 'area' }
  expect(canHaveMissingReferences(table, fine, dataset)).toBe(false)
  expect(findMissingReferences(table, fine, all)).toEqual([])
})
