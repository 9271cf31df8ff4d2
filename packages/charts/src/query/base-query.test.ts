import { expect, it } from 'vitest'
import { measureCpuMs } from '../testing/measure-cpu.ts'
import { baseQuery } from './base-query.ts'
import { withFilters } from './extra-form-data.ts'

it('regression: text in place of dashboard filters is not spread into one field per character', () => {
  const text = 'x'.repeat(1_000_000)
  const plain = baseQuery({ viz_type: 'pie' })
  for (const name of ['extra_form_data', 'applied_time_extras'])
    expect(baseQuery({ viz_type: 'pie', [name]: text })).toEqual(plain)
  const custom_form_data = { a: 1 }
  const laid = withFilters({ extra_form_data: text }, [{ custom_form_data: text }, { custom_form_data }])
  expect(laid.extra_form_data).toEqual({ custom_form_data })
})

it('regression: does not read each of 300,000 invalid order entries', () => {
  const orderby = Array.from({ length: 300_000 }, () => '[')
  const ms = measureCpuMs(() => expect(baseQuery({ viz_type: 'pie', orderby })).toEqual(baseQuery({ viz_type: 'pie' })))
  expect(ms).toBeLessThan(1000)
})

it('group-by columns of a dashboard replace those of a chart, and charts without grouping stay ungrouped', () => {
  const extra_form_data = { interactive_groupby: ['city', 'kind'] }
  const pie = { viz_type: 'pie', groupby: ['country'] }
  expect(baseQuery({ ...pie, extra_form_data }).columns).toEqual(['city', 'kind'])
  expect(baseQuery({ viz_type: 'big_number_total', extra_form_data }).columns).toEqual([])
  expect(baseQuery({ ...pie, extra_form_data: { interactive_groupby: [] } }).columns).toEqual(['country'])
})
