import { describe, expect, it } from 'vitest'
import { ansiQuoting, type Quoting } from './statements.ts'
import { stripComments } from './strip-comments.ts'

const mysql: Quoting = { backslash: true, hash: true, dollar: false, nested: false }

describe('SQL-075: comments go before a query is sent', () => {
  it('SQL-075: blanks stand in their place, line breaks stay', () => {
    const sql = 'select 1 -- one\n, 2 /* two\nmore */, \'--\' as "/* name */"\nfrom t -- end'
    const stripped = stripComments(sql, ansiQuoting)
    expect(stripped).toBe(
      `select 1 ${' '.repeat(6)}\n, 2 ${' '.repeat(6)}\n${' '.repeat(7)}, '--' as "/* name */"\nfrom t`,
    )
    expect(stripped.indexOf('from')).toBe(sql.indexOf('from'))
  })

  it('SQL-075: nothing in quotes is touched, and no hint', () => {
    for (const sql of [
      "select 'it''s -- no comment'",
      "select E'\\' -- no comment'",
      'select $$ -- no comment $$',
      'select $a$ /* $$ */ $a$',
      'select /*+ parallel(4) */ 1',
      'select `a--b`',
      'select 1 # 2',
    ])
      expect(stripComments(sql, ansiQuoting)).toBe(sql)
  })

  it('SQL-075: each dialect in its own way', () => {
    expect(stripComments("select 'a\\'-- b' # c", mysql)).toBe("select 'a\\'-- b'")
    expect(stripComments('/* a /* b */ 1', mysql)).toBe(`${' '.repeat(12)} 1`)
    expect(stripComments('/* a /* b */ c */ 1', ansiQuoting)).toBe(`${' '.repeat(17)} 1`)
  })
})
