import type { AnnotationResults } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { findLayerErrors } from './layer-errors.ts'

const t = (_: string, text: string, values: Record<string, unknown> = {}) =>
  text.replace(/\{(\w+)\}/g, (__, name: string) => String(values[name]))
const form = (...annotation_layers: unknown[]) => ({ viz_type: 'echarts_timeseries_line', annotation_layers })
const errors = (stored: Record<string, unknown>, answers?: Partial<AnnotationResults>) =>
  findLayerErrors(stored, answers && { data: {}, errors: {}, ...answers }, t as never).map(
    ({ name, error }) => `${name}: ${error}`,
  )

const event = { name: 'E', annotationType: 'EVENT', sourceType: 'table', value: 1, show: true, timeColumn: 'day' }

describe('layers that are not in the picture', () => {
  it('CHART-023, CHART-024, CHART-026, CHART-034: have the words of the server, or that it was not reached', () => {
    expect(errors(form(event), { errors: { E: 'Error: The chart does not exist' } })).toEqual([
      'E: The chart does not exist',
    ])
    expect(errors(form(event), { errors: { E: 'Query timeout' } })).toEqual(['E: Query timeout'])
    expect(errors(form(event), { errors: { E: '' } })).toEqual(['E: Network error.'])
  })
  it('CHART-022, CHART-028, CHART-035: one that was read has none, with rows or without', () => {
    expect(errors(form(event), { data: { E: { records: [{ day: 1 }] } } })).toEqual([])
    expect(errors(form(event), { data: { E: { records: [] } } })).toEqual([])
  })
  it('lack a column, or are no formula', () => {
    const data = { E: { records: [{ other: 1 }] } }
    expect(errors(form(event), { data })).toEqual(['E: The source chart has no column day'])
    expect(errors(form({ ...event, timeColumn: null }), { data })).toEqual(['E: No time column chosen'])
    expect(errors(form({ name: 'F', annotationType: 'FORMULA', value: '2 +' }))).toEqual([
      'F: Not a valid formula of x',
    ])
    expect(errors(form({ name: 'F', annotationType: 'FORMULA', value: '2x' }))).toEqual([])
  })
  it('are not those that are hidden, nor those of a chart that draws none', () => {
    const bad = { name: 'F', annotationType: 'FORMULA', value: '2 +' }
    expect(errors(form({ ...bad, show: false }))).toEqual([])
    expect(errors({ ...form(bad), viz_type: 'pie' })).toEqual([])
    expect(errors({ ...form(), annotation_layers: 'x' })).toEqual([])
  })
})
