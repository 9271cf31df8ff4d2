import { describe, expect, it } from 'vitest'
import { rankColumns, type TableFacts } from './rank-columns.ts'

const number = (column_name: string, type = 'BIGINT') => ({ column_name, type, type_generic: 0, is_dttm: false })
const text = (column_name: string) => ({ column_name, type: 'VARCHAR', type_generic: 1, is_dttm: false })
const time = (column_name: string) => ({ column_name, type: 'TIMESTAMP', type_generic: 2, is_dttm: true })
const span = { from: Date.UTC(2024, 0, 1), to: Date.UTC(2024, 11, 31) }

const table = {
  columns: [
    time('deleted_at'),
    time('imported_at'),
    time('placed_at'),
    text('order_number'),
    text('comment'),
    text('currency'),
    text('region'),
    text('channel'),
    number('customer_id'),
    number('serial_no'),
    number('version'),
    number('price', 'DOUBLE'),
    number('quantity'),
  ],
  main_dttm_col: 'deleted_at',
}
const facts: TableFacts = {
  rows: 1000,
  columns: {
    deleted_at: { filled: 12, span },
    imported_at: { filled: 1000, span: null },
    placed_at: { filled: 990, span },
    order_number: { filled: 1000, distinct: 1000 },
    comment: { filled: 300, distinct: 280 },
    currency: { filled: 1000, distinct: 1 },
    region: { filled: 700, distinct: 5 },
    channel: { filled: 1000, distinct: 30 },
    customer_id: { filled: 1000, distinct: 80 },
    serial_no: { filled: 1000, distinct: 1000 },
    version: { filled: 1000, distinct: 1 },
    price: { filled: 1000, distinct: 1000 },
    quantity: { filled: 1000, distinct: 9 },
  },
}

describe('rankColumns', () => {
  it('selects the most complete time, not one that never changes', () => {
    expect(rankColumns(table, facts)).toMatchObject({ time: 'placed_at', span })
  })

  it('prefers the main time among equally complete ones', () => {
    const same = { rows: 5, columns: { a: { filled: 5, span }, b: { filled: 5, span } } }
    expect(rankColumns({ columns: [time('a'), time('b')], main_dttm_col: 'b' }, same).time).toBe('b')
  })

  it('selects dimensions of 2 to 30 values, most complete first', () => {
    expect(rankColumns(table, facts).dimensions).toEqual(['channel', 'region'])
    const beyond = { ...facts, columns: { ...facts.columns, channel: { filled: 1000, distinct: 31 } } }
    expect(rankColumns(table, beyond).dimensions).toEqual(['region'])
    expect(rankColumns(table, beyond).names).toEqual(['channel'])
  })

  it('selects measures that are not keys or constants; an amount may differ in each row', () => {
    expect(rankColumns(table, facts).measures).toEqual(['price', 'quantity'])
  })

  it('uses names and types if there are no statistics', () => {
    const { time: along, dimensions, measures } = rankColumns(table, null)
    expect(along).toBe('deleted_at')
    expect(dimensions[0]).toBe('order_number')
    expect(measures).toEqual(['serial_no', 'version', 'price', 'quantity'])
  })
})
