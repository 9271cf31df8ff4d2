import { isTimeFormat } from '@parquetry/model'
import { expect, it } from 'vitest'
import { findTimeFormat } from './time-format-of-values.ts'

it.each([
  [['2020-01-31', null, ''], '%Y-%m-%d'],
  [['2020-01-31 08:15:00'], '%Y-%m-%d %H:%M:%S'],
  [['2020/01/31'], '%Y/%m/%d'],
  [['20200131', 20_191_231], '%Y%m%d'],
  [['202013'], null],
  [['2020-01-31', '2020/01/31'], null],
  [['31/01/2020'], null],
  [['2020-01-31 08:61:00'], null],
  [['text'], null],
  [[null, ''], null],
])('finds the format of %j', (values, format) => {
  expect(findTimeFormat(values)).toBe(format)
  if (format !== null) expect(isTimeFormat(format)).toBe(true)
})
