import type { InspectedStatement, Inspection } from '@parquetry/model'
import { describe, expect, it } from 'vitest'
import { guardEmbedded, guardNetwork, isReadOnly, findForbiddenFunctions, listTables } from './index.ts'

const statement = (own: Partial<InspectedStatement> = {}): InspectedStatement => ({
  span: [0, 8],
  kind: 'select',
  readOnly: true,
  tables: [],
  functions: [],
  tableFunctions: [],
  ownLimit: null,
  limitSpan: null,
  hasOrder: false,
  takesLimit: true,
  ...own,
})
const inspect = (...statements: InspectedStatement[]): Inspection => ({ statements, error: null })
const table = (name: string, schema: string | null = null, catalog: string | null = null) => ({
  catalog,
  schema,
  name,
  span: [7, 8] as [number, number],
})

it('is read-only if something was parsed and every statement is read-only', () => {
  expect(isReadOnly(inspect(statement()))).toBe(true)
  expect(isReadOnly(inspect(statement(), statement({ readOnly: false })))).toBe(false)
  expect(isReadOnly(inspect())).toBe(false)
  expect(isReadOnly({ statements: [], error: { message: 'x', line: 1, column: 1, offset: 0 } })).toBe(false)
})

it('lists every table once', () => {
  const inspection = inspect(
    statement({ tables: [table('a'), table('a', 'main'), table('a')] }),
    statement({ tables: [table('A'), table('a')] }),
  )
  expect(listTables(inspection)).toEqual([
    { catalog: null, schema: null, name: 'a' },
    { catalog: null, schema: 'main', name: 'a' },
    { catalog: null, schema: null, name: 'A' },
  ])
})

it('rejects functions by the rules of each engine', () => {
  const calls = statement({ functions: ['GetEnv', 'sum', 'pg_read_file'], tableFunctions: ['range', 'made_up'] })
  expect(findForbiddenFunctions(calls, 'duckdb')).toEqual(['GetEnv', 'made_up'])
  expect(findForbiddenFunctions(calls, 'postgresql')).toEqual(['pg_read_file'])
  expect(findForbiddenFunctions(calls, '__proto__')).toEqual([])
})

describe('guardEmbedded', () => {
  const guard = (inspection: Inspection) => () => guardEmbedded(inspection, ['Flights', 'air'], 'SELECT 1')

  it('accepts a single read-only statement over the views, ignoring case', () => {
    expect(guard(inspect(statement({ tables: [table('flights'), table('AIR', 'MAIN')] })))).not.toThrow()
    expect(guard(inspect(statement({ kind: 'show', tableFunctions: ['show_tables'] })))).not.toThrow()
  })

  it.each([
    ['an error', { statements: [], error: { message: 'm', line: 1, column: 2, offset: 1 } }, 'syntax_error'],
    ['nothing', inspect(), 'syntax_error'],
    ['two statements', inspect(statement(), statement()), 'sql_not_allowed'],
    ['what is not known to read', inspect(statement({ readOnly: false })), 'dml_not_allowed'],
    ['a kind of its own', inspect(statement({ kind: 'pragma' })), 'dml_not_allowed'],
    ['PIVOT', inspect(statement({ kind: 'pivot', readOnly: false })), 'sql_not_allowed'],
    ['a table that is none', inspect(statement({ tables: [table('x.csv')] })), 'table_missing'],
    ['another schema', inspect(statement({ tables: [table('flights', 'pg_catalog')] })), 'sql_not_allowed'],
    ['another catalogue', inspect(statement({ tables: [table('flights', 'main', 'x')] })), 'sql_not_allowed'],
    ['a table function', inspect(statement({ tableFunctions: ['read_csv'] })), 'sql_not_allowed'],
    ['a function', inspect(statement({ functions: ['getenv'] })), 'sql_not_allowed'],
  ] as [string, Inspection, string][])('rejects %s', (_, inspection, code) => {
    expect(guard(inspection)).toThrow(expect.objectContaining({ code }))
  })

  it('regression: allows the schema main by its name, and says so where it rejects another name', () => {
    const read = (...names: Parameters<typeof table>) => guard(inspect(statement({ tables: [table(...names)] })))
    expect(read('flights', 'main')).not.toThrow()
    for (const rejected of [read('flights', 'main', 'x'), read('flights', 'other')])
      expect(rejected).toThrow('Name a table without a catalog, and with no schema other than main.')
  })

  it('reports the position of a missing table', () => {
    expect(guard(inspect(statement({ tables: [table('nope')] })))).toThrow(
      expect.objectContaining({ details: { line: 1, column: 8, offset: 7 } }),
    )
  })
})

describe('guardNetwork', () => {
  const guard =
    (inspection: Inspection, allow_dml = false) =>
    () =>
      guardNetwork(inspection, 'postgresql', allow_dml)

  it('accepts a single statement over any table, and a writing one if allowed', () => {
    expect(guard(inspect(statement({ tables: [table('flights', 'public', 'lab')], functions: ['sum'] })))).not.toThrow()
    expect(guard(inspect(statement({ kind: 'insert', readOnly: false })), true)).not.toThrow()
  })

  it.each([
    ['an error', { statements: [], error: { message: 'm', line: 1, column: 2, offset: 1 } }, 'syntax_error'],
    ['two statements', inspect(statement(), statement()), 'sql_not_allowed'],
    ['what writes', inspect(statement({ readOnly: false })), 'dml_not_allowed'],
    ['a function', inspect(statement({ functions: ['query_to_xml'] })), 'sql_not_allowed'],
    ['a function in FROM', inspect(statement({ tableFunctions: ['pg_ls_dir'] })), 'sql_not_allowed'],
  ] as [string, Inspection, string][])('rejects %s', (_, inspection, code) => {
    expect(guard(inspection)).toThrow(expect.objectContaining({ code }))
  })

  it('rejects functions even if changes are allowed', () => {
    expect(guard(inspect(statement({ readOnly: false, functions: ['pg_read_file'] })), true)).toThrow(
      expect.objectContaining({ code: 'sql_not_allowed' }),
    )
  })
})
