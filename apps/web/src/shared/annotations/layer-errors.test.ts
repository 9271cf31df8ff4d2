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

describe('annotation layers that are not drawn', () => {
  it('CHART-023, CHART-024, CHART-026, CHART-034: have the server’s message, or a network error', () => {
    expect(errors(form(event), { errors: { E: 'Error: The chart does not exist' } })).toEqual([
      'E: The chart does not exist',
    ])
    expect(errors(form(event), { errors: { E: 'Query timeout' } })).toEqual(['E: Query timeout'])
    expect(errors(form(event), { errors: { E: '' } })).toEqual(['E: Network error.'])
  })
  it('CHART-022, CHART-028, CHART-035: have no error when the layer was read, with or without rows', () => {
    expect(errors(form(event), { data: { E: { records: [{ day: 1 }] } } })).toEqual([])
    expect(errors(form(event), { data: { E: { records: [] } } })).toEqual([])
  })
  it('report a missing column or an invalid formula', () => {
    const data = { E: { records: [{ other: 1 }] } }
    expect(errors(form(event), { data })).toEqual(['E: The source chart has no column day'])
    expect(errors(form({ ...event, timeColumn: null }), { data })).toEqual(['E: No time column chosen'])
    expect(errors(form({ name: 'F', annotationType: 'FORMULA', value: '2 +' }))).toEqual([
      'F: Not a valid formula of x',
    ])
    expect(errors(form({ name: 'F', annotationType: 'FORMULA', value: '2x' }))).toEqual([])
  })
  it('exclude hidden layers and charts without annotations', () => {
    const bad = { name: 'F', annotationType: 'FORMULA', value: '2 +' }
    expect(errors(form({ ...bad, show: false }))).toEqual([])
    expect(errors({ ...form(bad), viz_type: 'pie' })).toEqual([])
    expect(errors({ ...form(), annotation_layers: 'x' })).toEqual([])
  })
})
