import { expect, it } from 'vitest'
import { buildFieldGroups, type Field } from './field-groups.ts'
import { loadChart } from './registry.ts'
import { numberFormats, timeFormats } from './shared/formats/presets.ts'
import { fromLegacyLine } from './shared/time-series/legacy.ts'

async function control(viz_type: string, name: string): Promise<Field> {
  const fields = buildFieldGroups((await loadChart(viz_type))!.form).flatMap((group) => group.fields)
  const found = fields.find((field) => field.name === name)
  if (!found) throw new Error(`${viz_type} has no control ${name}`)
  return found
}
const line = (name: string) => control('echarts_timeseries_line', name)
const presets = ({ control: { presets = [] } }: Field) => presets.map(([value]) => value)
const choices = ({ schema }: Field) => {
  const all = (each: { const?: unknown; anyOf?: object[] }): unknown[] =>
    each.anyOf ? each.anyOf.flatMap(all) : [each.const]
  return all(schema).filter((value) => value !== undefined)
}

it('CONST-001, CONST-002: row limits', async () => {
  const limit = await line('row_limit')
  expect(presets(limit)).toEqual([10, 50, 100, 250, 500, 1000, 5000, 10_000, 50_000])
  expect(limit.default).toBe(10_000)
})

it('CONST-003: series limits', async () => {
  expect(presets(await line('series_limit'))).toEqual([5, 10, 25, 50, 100, 500])
})

it('CONST-004: value axes use the adaptive format by default', async () => {
  expect((await line('y_axis_format')).default).toBe('SMART_NUMBER')
})

it('CONST-006: a table groups rows or shows raw rows', async () => {
  expect(new Set(choices(await control('table', 'query_mode')))).toEqual(new Set(['aggregate', 'raw']))
})

it('CONST-008: sort orders of series', async () => {
  expect(choices(await line('sort_series_type'))).toEqual(['name', 'sum', 'min', 'max', 'avg'])
})

it('CONST-010: comparison types of periods', async () => {
  expect(choices(await line('comparison_type'))).toEqual(['values', 'difference', 'percentage', 'ratio'])
})

it('CONST-011: converts the legacy comparison type `absolute` to `difference`', () => {
  const read = (comparison_type: string) => fromLegacyLine({ viz_type: 'line', comparison_type })['comparison_type']
  expect(['values', 'absolute', 'percentage', 'ratio'].map(read)).toEqual([
    'values',
    'difference',
    'percentage',
    'ratio',
  ])
})

it('CONST-012: rolling windows', async () => {
  expect(choices(await line('rolling_type'))).toEqual(['None', 'mean', 'sum', 'std', 'cumsum'])
})

it('CONST-013: time shifts', async () => {
  const offsets = '1 day, 1 week, 28 days, 30 days, 52 weeks, 1 year, 104 weeks, 2 years, 156 weeks, 3 years'
  expect(presets(await line('time_compare'))).toEqual(offsets.split(', ').map((offset) => `${offset} ago`))
})

it('CONST-015, CONST-016: resampling', async () => {
  expect(presets(await line('resample_rule'))).toEqual(['1T', '1H', '1D', '7D', '1M', '1AS'])
  const methods = choices(await line('resample_method'))
  for (const method of ['asfreq', 'bfill', 'ffill', 'median', 'mean', 'sum']) expect(methods).toContain(method)
})

it('CONST-018: number and time formats', async () => {
  const numbers = presets(await line('y_axis_format'))
  for (const format of ['SMART_NUMBER', '~g', ',d', '.1s', '.3s', ',.1%', '.2%', '.3%', 'DURATION', 'DURATION_SUB'])
    expect(numbers, format).toContain(format)
  expect(numbers).toEqual(numberFormats.map(([name]) => name))
  const times = presets(await line('x_axis_time_format'))
  for (const format of ['smart_date', '%d/%m/%Y', '%Y-%m-%d', '%Y-%m-%d %H:%M:%S', '%H:%M:%S'])
    expect(times).toContain(format)
  expect(times).toEqual(timeFormats.map(([name]) => name))
})
