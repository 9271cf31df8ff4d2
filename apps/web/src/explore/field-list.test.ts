import { expect, it } from 'vitest'
import { fieldRows, type FieldRow } from './field-list.ts'
import type { ExploreDataset } from './use-explore.ts'

const column = (name: string, verbose_name: string | null = null) => ({ uuid: name, column_name: name, verbose_name })
const metric = (name: string) => ({ uuid: name, metric_name: name, verbose_name: null })
const leaf = (uuid: string, type: string) => ({ uuid, type })
const folder = (name: string, ...children: object[]) => ({ uuid: name, type: 'folder', name, children })
const dataset = {
  metrics: [metric('revenue'), metric('orders')],
  columns: [column('city'), column('day', 'Order day'), column('note')],
  folders: [
    folder('Sales', leaf('revenue', 'metric'), folder('Days', leaf('day', 'column')), leaf('gone', 'column')),
    folder('Null'),
  ],
} as unknown as ExploreDataset

const formatRow = (row: FieldRow): string => {
  if (row.kind === 'heading') return `${row.of} ${row.count}`
  const name =
    row.kind === 'folder'
      ? `[${row.name} ${row.count}]`
      : row.kind === 'metric'
        ? row.metric.metric_name
        : row.column.column_name
  return '  '.repeat(row.depth) + name
}
const listed = (search = '', closed: string[] = [], of = dataset) =>
  fieldRows(of, { search, closed: new Set(closed) }).map(formatRow)

it("lists folders in the owners' order, then fields without a folder", () => {
  expect(listed()).toEqual([
    '[Sales 2]',
    '  revenue',
    '  [Days 1]',
    '    day',
    'metrics 1',
    'orders',
    'columns 2',
    'city',
    'note',
  ])
})

it('hides fields in a closed folder, but counts them', () => {
  expect(listed('', ['Sales']).slice(0, 2)).toEqual(['[Sales 2]', 'metrics 1'])
  expect(listed('', ['Days']).slice(0, 4)).toEqual(['[Sales 2]', '  revenue', '  [Days 1]', 'metrics 1'])
})

it('opens folders with search matches, and omits the others', () => {
  expect(listed('order', ['Sales', 'Days'])).toEqual(['[Sales 1]', '  [Days 1]', '    day', 'metrics 1', 'orders'])
})

it('lists metrics and columns under their headings when there are no folders', () => {
  expect(listed('zzz', [], { ...dataset, folders: [] })).toEqual(['metrics 0', 'columns 0'])
})
