import { expect, it } from 'vitest'
import { findComparedColumn, withTimeRange } from './time-comparison.ts'

const dataset = { main_dttm_col: 'day' }
const range = (subject: string, comparator: string) => ({
  expressionType: 'SIMPLE',
  clause: 'WHERE',
  operator: 'TEMPORAL_RANGE',
  subject,
  comparator,
})

it('regression: a comparison with another time without a closed range can use the range of its time column', () => {
  const form = { x_axis: 'ts', time_compare: ['1 year ago'] }
  const column = (more: object) => findComparedColumn({ ...form, ...more }, dataset)
  expect(column({})).toBe('ts')
  for (const open of ['No filter', '2024-01-01 : ', ' : 2024-01-01']) {
    expect(column({ adhoc_filters: [range('ts', open)] })).toBe('ts')
    expect(column({ time_range: open })).toBe('ts')
  }
  expect(column({ x_axis: undefined })).toBe('day')
  expect([column({ time_compare: [] }), column({ time_range: 'Last year' })]).toEqual([null, null])
  expect(column({ adhoc_filters: [range('ts', '2023 : 2024')] })).toBeNull()
})

it('sets the range where the form has it', () => {
  const other = range('other', 'Last week')
  expect(withTimeRange({ adhoc_filters: [other, range('ts', 'No filter')] }, 'ts', 'a : b')).toEqual({
    adhoc_filters: [other, range('ts', 'a : b')],
  })
  expect(withTimeRange({ granularity_sqla: 'ts', time_range: 'No filter' }, 'ts', 'a : b')).toEqual({
    granularity_sqla: 'ts',
    time_range: 'a : b',
  })
  const added = withTimeRange({ time_range: 'No filter', x_axis: 'ts' }, 'ts', 'a : b')
  expect(added).toMatchObject({ time_range: 'a : b', adhoc_filters: [range('ts', 'a : b')] })
  expect(findComparedColumn({ ...added, time_compare: '1 year ago' }, dataset)).toBeNull()
})
