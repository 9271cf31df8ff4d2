import { describe, expect, it } from 'vitest'
import { ansi, extendDialect } from '../sql/dialect.ts'
import { inlineValues } from '../sql/render.ts'
import { sql } from '../sql/sql.ts'
import { numberOperand, type FilterOperand } from './number-operand.ts'

const shown = (operand: FilterOperand): string =>
  operand.kind === 'value'
    ? inlineValues(operand.sql, ansi)
    : operand.kind === 'outside'
      ? `outside ${operand.order}`
      : operand.kind
const read = (given: string | number, type: string | null) => shown(numberOperand(given, type, ansi))

describe('a number compared with a column', () => {
  it('regression: reaches the engine with all digits', () => {
    expect(read('9007199254740995', 'BIGINT')).toBe('9007199254740995')
    expect(read('18446744073709551615', 'UBIGINT')).toBe('18446744073709551615')
    expect(read('9007199254740995', null)).toBe('9007199254740995')
    expect(read('12345678901234567890.1234567890', 'DECIMAL(38, 10)')).toBe('12345678901234567890.123456789')
    expect(read(0.1, 'DECIMAL(10, 2)')).toBe('0.1')
    expect(read('-5', 'INTEGER')).toBe('-5')
  })

  it('becomes the nearest float for a column of floats', () => {
    expect(read('0.1', 'REAL')).toBe('CAST(0.1 AS REAL)')
    expect(read('9007199254740993', 'DOUBLE')).toBe('9007199254740992')
    expect(read('1e400', 'DOUBLE')).toBe('outside above')
  })

  it('equals no value if the type cannot hold it', () => {
    expect(read('1.5', 'INTEGER')).toBe('outside within')
    expect(read('1.239', 'DECIMAL(10, 2)')).toBe('outside within')
    expect(read('1e30', 'BIGINT')).toBe('outside above')
    expect(read('-1e30', 'DECIMAL(10, 2)')).toBe('outside below')
    expect(read('abc', 'INTEGER')).toBe('outside null')
    expect(read('', 'DOUBLE')).toBe('outside null')
    expect(read('12abc', null)).toBe('outside null')
  })

  it('knows NaN and infinities', () => {
    expect(read('NaN', 'DOUBLE')).toBe('nan')
    expect(read('NaN', 'BIGINT')).toBe('outside null')
    expect(read('-Infinity', 'DOUBLE')).toBe(`CAST('-Infinity' AS DOUBLE PRECISION)`)
    expect(read('Infinity', 'BIGINT')).toBe('outside above')
  })

  it('trusts no declared type of an engine whose columns may hold anything', () => {
    const loose = extendDialect(ansi, { declaresTypes: false })
    expect(shown(numberOperand('1.5', 'INTEGER', loose))).toBe('1.5')
  })

  it('regression: a large integer reaches such an engine with its digits, not as a double', () => {
    const loose = extendDialect(ansi, { declaresTypes: false, exactNumber: (digits) => sql`exact ${digits}` })
    const read = (type: string) => shown(numberOperand(-22_219_665_701_088_530, type, loose))
    expect(read('INTEGER')).toBe(`exact '-22219665701088530'`)
    expect(read('DOUBLE')).toBe('-22219665701088530')
  })
})
