import { CompletionContext } from '@codemirror/autocomplete'
import { sql as sqlLanguage } from '@codemirror/lang-sql'
import { ensureSyntaxTree } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { measureCpuMs } from '@parquetry/testing/processor-time'
import { describe, expect, it } from 'vitest'
import { completeSql, type CompletionData } from './completion.ts'
import { dialectOf } from './dialects.ts'
import { parseSegments, statementAt } from './statements.ts'

const flights = {
  name: 'flights',
  columns: [
    { name: 'delay', type: 'BIGINT' },
    { name: 'Release Date', type: 'DATE' },
  ],
}
const base: Omit<CompletionData, 'statement'> = {
  dialect: dialectOf('duckdb'),
  schemas: ['main', 'other'],
  tables: [
    flights,
    { name: 'airports', columns: undefined },
    { name: 'cars', columns: [{ name: 'name', type: 'TEXT' }] },
  ],
  tablesOf: (schema) =>
    schema === 'other' ? [{ name: 'far_away', columns: [{ name: 'distance', type: 'INT' }] }] : undefined,
  want: () => {},
  isComplete: true,
  functions: ['count', 'date_trunc'],
  past: ['select 1 as earlier'],
}

/** `|` marks the cursor. */
function complete(text: string, part: Partial<CompletionData> = {}, explicit = true) {
  const index = text.indexOf('|')
  const doc = text.replace('|', '')
  const all = { ...base, ...part }
  const state = EditorState.create({ doc, extensions: sqlLanguage({ dialect: all.dialect.language }) })
  // Completion limits the wait for its syntax tree by time.
  ensureSyntaxTree(state, doc.length, Infinity)
  const statement = (cursor: number) => statementAt(parseSegments(state.doc.toString(), all.dialect.name), cursor)
  return completeSql(() => ({ statement, ...all }))(new CompletionContext(state, index, explicit))
}
const labels = (text: string, part?: Partial<CompletionData>) =>
  complete(text, part)?.options.map(({ label }) => label) ?? []
const best = (text: string, part?: Partial<CompletionData>) =>
  (complete(text, part)?.options ?? []).toSorted((a, b) => (b.boost ?? 0) - (a.boost ?? 0))[0]?.label

describe('completion', () => {
  it('offers the columns of the statement’s tables before everything else', () => {
    expect(best('SELECT * FROM flights WHERE de|')).toBe('delay')
    expect(best('SELECT | FROM cars')).toBe('name')
  })

  it('offers columns of the statement at the cursor only', () => {
    expect(labels('select 1 from cars; select | from flights')).toContain('delay')
    expect(labels('select 1 from cars; select | from flights')).not.toContain('name')
  })

  it('offers tables, then schemas, after FROM, JOIN and a comma', () => {
    for (const text of ['select * from |', 'select * from cars join f|', 'select * from cars, |'])
      expect(complete(text)?.options.toSorted((a, b) => (b.boost ?? 0) - (a.boost ?? 0))[0]?.type).toBe('class')
  })

  it('offers only the columns of a table or its alias after a dot', () => {
    expect(labels('SELECT f.| FROM flights f')).toEqual(['delay', 'Release Date'])
    expect(labels('SELECT flights.| FROM flights')).toEqual(['delay', 'Release Date'])
    expect(labels('SELECT f.de| FROM other.flights AS "f" WHERE true')).toEqual(['delay', 'Release Date'])
  })

  it('offers the tables of a schema after its name, and their columns by alias', () => {
    expect(labels('select * from other.|')).toEqual(['far_away'])
    expect(labels('select a.| from other.far_away a')).toEqual(['distance'])
    expect(labels('select * from main.|')).toEqual([])
  })

  it('supports CTEs: their names and their columns, also through stars', () => {
    const text =
      'with late as (select delay, count(*) as n, max(f.delay) worst from flights f), both as (select * from late) '
    expect(best(`${text}select * from |`)).toMatch(/late|both/)
    expect(labels(`${text}select l.| from late l`)).toEqual(['delay', 'n', 'worst'])
    expect(labels(`${text}select b.| from both b`)).toEqual(['delay', 'n', 'worst'])
    expect(labels('with named(a, b) as (select 1, 2) select named.| from named')).toEqual(['a', 'b'])
  })

  it('supports subqueries, including the tables around them', () => {
    expect(labels('select s.| from (select delay as d from flights) s')).toEqual(['d'])
    expect(labels('select * from flights f where exists (select 1 from cars c where c.name = f.|)')).toEqual([
      'delay',
      'Release Date',
    ])
    expect(labels('select (select | from cars) from flights')).toEqual(expect.arrayContaining(['name', 'delay']))
  })

  it('quotes a name that is not a plain word, in the style of the dialect', () => {
    const applied = (backend: string) =>
      complete('SELECT flights.| FROM flights', { dialect: dialectOf(backend) })?.options[1]?.apply
    expect(applied('duckdb')).toBe('"Release Date"')
    expect(applied('mysql')).toBe('`Release Date`')
    expect(complete('SELECT "Rel| FROM flights')?.from).toBe(7)
  })

  it('requests the columns of a small schema before FROM, but never those of a large one', () => {
    const wantedWith = (count: number): readonly string[] => {
      let wanted: readonly string[] = []
      const tables = Array.from({ length: count }, (_, index) => ({ name: `t${index}`, columns: undefined }))
      complete('select a|', { tables, want: (names) => (wanted = names) })
      return wanted
    }
    expect(wantedWith(2)).toEqual(['t0', 't1'])
    expect(wantedWith(500)).toEqual([])
  })

  it('requests columns that are not known yet', () => {
    let wanted: readonly string[] = []
    complete('SELECT | FROM airports a', { want: (names) => (wanted = names) })
    expect(wanted).toEqual(['airports'])
  })

  it('offers nothing in strings, comments and numbers, and past queries only at the beginning', () => {
    expect(complete("select 'fli|ghts'")).toBeNull()
    expect(complete('-- fli|\nselect 1')).toBeNull()
    expect(complete('select 12|')).toBeNull()
    expect(labels('sel|')).toContain('select 1 as earlier')
    expect(labels('select sel|')).not.toContain('select 1 as earlier')
    expect(complete('select |', {}, false)).toBeNull()
    expect(complete('select 1 as b|', {}, false)).toBeNull()
  })

  it('ranks by the scores keyword 100, function 90, schema 60, table 55, column 50 without a better match', () => {
    const boost = (type: string) => complete('x|')?.options.find((option) => option.type === type)?.boost ?? 0
    const ranks = ['keyword', 'function', 'namespace', 'class'].map(boost)
    expect(ranks).toEqual(ranks.toSorted((a, b) => b - a))
    expect(new Set(ranks).size).toBe(4)
  })

  it('ranks keywords that start a statement below others inside a statement', () => {
    const boost = (text: string, word: string) =>
      complete(text)?.options.find(({ label }) => label === word)?.boost ?? NaN
    const inside = 'select * from flights order by origin de|'
    expect(boost(inside, 'delete')).toBeLessThan(boost(inside, 'desc'))
    expect(boost('de|', 'delete')).toBe(boost('de|', 'desc'))
    expect(boost('select 1; de|', 'delete')).toBe(boost('select 1; de|', 'desc'))
  })

  it('does not offer the word being typed', () => {
    expect(labels('select * from fli|')).not.toContain('fli')
  })

  it('requests again with the next key while names are loading', () => {
    expect(complete('select * from f|')?.validFor).toBeInstanceOf(RegExp)
    expect(complete('select * from f|', { isComplete: false })?.validFor).toBeUndefined()
  })

  it('matches the case of the typed letters in keywords', () => {
    expect(labels('sel|')).toContain('select')
    expect(labels('SEL|')).toContain('SELECT')
  })

  it('lists a function once, even if the grammar also has it as a keyword', () => {
    const floors = complete('select flo|', { functions: ['floor'] })?.options.filter(({ label }) =>
      /^floor$/i.test(label),
    )
    expect(floors?.map(({ type }) => type)).toEqual(['function'])
  })

  it('uses the keywords and name quotes of the dialect', () => {
    expect(labels('|', { dialect: dialectOf('clickhouse') })).toContain('PREWHERE')
    expect(labels('|', { dialect: dialectOf('duckdb') })).toContain('QUALIFY')
    expect(labels('|', { dialect: dialectOf('trino') })).toContain('UNNEST')
    expect(labels('|', { dialect: dialectOf('postgresql') })).not.toContain('PREWHERE')
  })

  it('responds within 50 ms with 10,000 tables', () => {
    const tables = Array.from({ length: 10_000 }, (_, index) => ({ name: `table_number_${index}`, columns: undefined }))
    let found = complete('select * from tab|', { tables })
    const times = Array.from({ length: 10 }, () =>
      measureCpuMs(() => void (found = complete('select * from tab_9|', { tables }))),
    )
    expect(Math.min(...times)).toBeLessThan(50)
    expect(found?.options.some(({ label }) => label === 'table_number_9')).toBe(true)
    expect(found?.options.filter(({ type }) => type === 'class').length).toBeLessThanOrEqual(400)
  })
})
