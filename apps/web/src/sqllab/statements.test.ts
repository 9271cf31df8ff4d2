import { describe, expect, it } from 'vitest'
import { statementAt, statementsOf } from './statements.ts'

describe('statements of the editor', () => {
  it.each([
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';' as a; select 2;", ["select ';' as a", 'select 2']],
    ["select 'it''s; fine'", ["select 'it''s; fine'"]],
    ['select "a;b"', ['select "a;b"']],
    ['-- one; two\nselect 1', ['-- one; two\nselect 1']],
    ['/* a; b */ select 1; select 2', ['/* a; b */ select 1', 'select 2']],
    ['select $$a;b$$; select $x$;$x$', ['select $$a;b$$', 'select $x$;$x$']],
    ["select 'unclosed; text", ["select 'unclosed; text"]],
    ['  ;\n; ', []],
  ])('%s', (sql, expected) => {
    expect(statementsOf(sql).map(({ text }) => text)).toEqual(expected)
  })

  it('gives positions that point at the text', () => {
    const sql = '  select 1 ;\n\n select 2'
    for (const { from, to, text } of statementsOf(sql)) expect(sql.slice(from, to)).toBe(text)
  })

  it('takes the statement at the cursor, or the one before it', () => {
    const sql = 'select 1;\n\nselect 2;\n'
    expect([0, 8, 9, 12, 21].map((cursor) => statementAt(sql, cursor)?.text)).toEqual([
      'select 1',
      'select 1',
      'select 1',
      'select 2',
      'select 2',
    ])
    expect(statementAt('', 0)).toBeUndefined()
  })
})
