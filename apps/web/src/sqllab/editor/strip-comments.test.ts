import { describe, expect, it } from 'vitest'
import { stripComments } from './strip-comments.ts'

describe('SQL-075: comments are removed before a query is sent', () => {
  it('SQL-075: blanks replace them, line breaks stay', () => {
    const sql = 'select 1 -- one\n, 2 /* two\nmore */, \'--\' as "/* name */"\nfrom t -- end'
    const stripped = stripComments(sql, 'postgresql')
    expect(stripped).toBe(
      `select 1 ${' '.repeat(6)}\n, 2 ${' '.repeat(6)}\n${' '.repeat(7)}, '--' as "/* name */"\nfrom t`,
    )
    expect(stripped.indexOf('from')).toBe(sql.indexOf('from'))
  })

  it('SQL-075: quoted text and hints stay unchanged', () => {
    for (const sql of [
      "select 'it''s -- no comment'",
      "select E'\\' -- no comment'",
      'select $$ -- no comment $$',
      'select $a$ /* $$ */ $a$',
      'select /*+ parallel(4) */ 1',
      'select 1 # 2',
      "select 'not closed -- no comment",
    ])
      expect(stripComments(sql, 'postgresql')).toBe(sql)
  })

  it('SQL-075: each dialect has its own comment syntax', () => {
    expect(stripComments('select 1 // a', 'clickhouse')).toBe('select 1')
    expect(stripComments('select `a--b`', 'mysql')).toBe('select `a--b`')
    expect(stripComments('select 1--2', 'mysql')).toBe('select 1--2')
    expect(stripComments('select [a--b] -- c', 'sqlite')).toBe('select [a--b]')
    expect(stripComments('select 1 /*! + 1 */ -- a', 'mysql')).toBe('select 1 /*! + 1 */')
    expect(stripComments("select 'a\\'-- b' # c", 'mysql')).toBe("select 'a\\'-- b'")
    expect(stripComments('/* a /* b */ 1', 'mysql')).toBe(`${' '.repeat(12)} 1`)
    expect(stripComments('/* a /* b */ c */ 1', 'postgresql')).toBe(`${' '.repeat(17)} 1`)
  })
})
