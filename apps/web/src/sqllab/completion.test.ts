import { CompletionContext } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { completeSql, tablesIn, type KnownTable } from './completion.ts'

const tables: KnownTable[] = [
  {
    name: 'flights',
    columns: [
      { name: 'delay', type: 'BIGINT' },
      { name: 'Release Date', type: 'DATE' },
    ],
  },
  { name: 'airports', columns: undefined },
]
const complete = (sql: string, wanted: (names: readonly string[]) => void = () => {}) =>
  completeSql(() => tables, wanted)(new CompletionContext(EditorState.create({ doc: sql }), sql.length, true))

it('offers the columns of the tables that the text reads before everything else', () => {
  const options = complete('SELECT * FROM flights WHERE de')?.options ?? []
  expect(options.toSorted((a, b) => (b.boost ?? 0) - (a.boost ?? 0))[0]?.label).toBe('delay')
})

it('offers only the columns of a table or its alias after a point', () => {
  expect(complete('SELECT f.d FROM flights f WHERE f.')?.options.map(({ label }) => label)).toEqual([
    'delay',
    'Release Date',
  ])
})

it('quotes a name that is no plain word', () => {
  expect(complete('SELECT 1 FROM flights WHERE flights.')?.options[1]?.apply).toBe('"Release Date"')
})

it('asks for columns that are not known yet', () => {
  let asked: readonly string[] = []
  complete('SELECT  FROM airports a', (names) => (asked = names))
  expect(asked).toEqual(['airports'])
})

it('finds tables with schema, quotes and alias', () => {
  expect([...tablesIn('select 1 from main.flights AS f join "airports" on true', tables).keys()]).toEqual([
    'flights',
    'f',
    'airports',
  ])
})
