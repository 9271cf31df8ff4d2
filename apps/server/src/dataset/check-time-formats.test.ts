import { expect, it } from 'vitest'
import { FieldErrorCollector, unprocessableFields } from '../http/writing.ts'
import { checkTimeFormats } from './check-time-formats.ts'

const check = (columns: Parameters<typeof checkTimeFormats>[0]['columns'], stored: string | null = null) => {
  const errors = new FieldErrorCollector(unprocessableFields)
  checkTimeFormats({ columns }, [{ id: 1, python_date_format: stored }], errors)
  return errors.has('columns')
}

it('regression: refuses a new time format that queries cannot read', () => {
  expect(check([{ id: 1, column_name: 'day', python_date_format: '%d/%m/%Y' }])).toBe(true)
  expect(check([{ column_name: 'day', datetime_format: 'soon' }])).toBe(true)
})

it('accepts readable formats, none, and one that is stored already', () => {
  const formats = ['%d/%m/%Y', '%Y%m%d', 'epoch_ms', null]
  const columns = formats.map((format, index) => ({
    id: index + 1,
    column_name: `c${index}`,
    python_date_format: format,
  }))
  expect(check(columns, '%d/%m/%Y')).toBe(false)
})
