import { expect, it } from 'vitest'
import { measureCpuMs } from '../testing/measure-cpu.ts'
import { baseQuery } from './base-query.ts'
import { withFilters } from './extra-form-data.ts'

it('regression: a text where filters of a dashboard are asked became a field for each of its letters', () => {
  const text = 'x'.repeat(1_000_000)
  const plain = baseQuery({ viz_type: 'pie' })
  for (const name of ['extra_form_data', 'applied_time_extras'])
    expect(baseQuery({ viz_type: 'pie', [name]: text })).toEqual(plain)
  const custom_form_data = { a: 1 }
  const laid = withFilters({ extra_form_data: text }, [{ custom_form_data: text }, { custom_form_data }])
  expect(laid.extra_form_data).toEqual({ custom_form_data })
})

it('regression: each of 300,000 orders that are none was read', () => {
  const orderby = Array.from({ length: 300_000 }, () => '[')
  const ms = measureCpuMs(() => expect(baseQuery({ viz_type: 'pie', orderby })).toEqual(baseQuery({ viz_type: 'pie' })))
  expect(ms).toBeLessThan(1000)
})

it('a dashboard’s columns to group by take the place of a chart’s own, and no chart is made to group', () => {
  const extra_form_data = { interactive_groupby: ['city', 'kind'] }
  const pie = { viz_type: 'pie', groupby: ['country'] }
  expect(baseQuery({ ...pie, extra_form_data }).columns).toEqual(['city', 'kind'])
  expect(baseQuery({ viz_type: 'big_number_total', extra_form_data }).columns).toEqual([])
  expect(baseQuery({ ...pie, extra_form_data: { interactive_groupby: [] } }).columns).toEqual(['country'])
})
