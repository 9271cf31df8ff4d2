import { describe, expect, it } from 'vitest'
import { findMissingFields, swapFormDataset, type SwapTarget } from './swap-form-dataset.ts'

const target = (more: Partial<SwapTarget> = {}): SwapTarget => ({
  id: 9,
  type: 'table',
  main_dttm_col: 'paid',
  columns: [
    {
      column_name: 'city',
      is_dttm: false,
    },
    {
      column_name: 'ordered',
      is_dttm: true,
    },
    {
      column_name: 'paid',
      is_dttm: true,
    },
  ],
  metrics: [{ metric_name: 'count' }],
  ...more,
})
const form = { viz_type: 'table', datasource: '1__table', granularity_sqla: 'day', groupby: ['city', 'region'] }

describe('a chart on another dataset', () => {
  it('DSET-007: keeps its form', () => {
    expect(swapFormDataset(form, target())).toEqual({ ...form, datasource: '9__table', granularity_sqla: 'paid' })
    expect(swapFormDataset({ ...form, granularity_sqla: 'ordered' }, target()).granularity_sqla).toBe('ordered')
  })
  it('DSET-008: uses the default time column if its own is not a time column there', () => {
    expect(swapFormDataset(form, target()).granularity_sqla).toBe('paid')
    expect(swapFormDataset({ ...form, granularity_sqla: 'city' }, target()).granularity_sqla).toBe('paid')
  })
  it('DSET-009: uses the first time column if there is no default', () => {
    expect(swapFormDataset(form, target({ main_dttm_col: null })).granularity_sqla).toBe('ordered')
  })
  it('DSET-010: has no time column if the dataset has none', () => {
    const columns = [{ column_name: 'city', is_dttm: false }]
    expect(swapFormDataset(form, target({ main_dttm_col: null, columns })).granularity_sqla).toBeNull()
  })
  it('DSET-008: keeps the time column if the dataset is not a table', () => {
    expect(swapFormDataset(form, target({ type: 'query' })).granularity_sqla).toBe('day')
  })
  it('DSET-018: lists the fields that the dataset does not have', async () => {
    expect(await findMissingFields({ ...form, metrics: ['count', 'revenue'] }, target())).toEqual({
      missing: ['revenue', 'region'],
      of: 4,
    })
  })
})
