import { Text } from '@codemirror/state'
import { describe, expect, it } from 'vitest'
import { ansiQuoting, readLines, rereadLines, statementAt, statementsOf, type Quoting } from './statements.ts'

const mysql: Quoting = { backslash: true, hash: true, dollar: false, nested: false }
const linesOf = (sql: string, quoting = ansiQuoting) => readLines(Text.of(sql.split('\n')), quoting)
const textsOf = (sql: string, quoting = ansiQuoting) =>
  statementsOf(linesOf(sql, quoting)).map(({ from, to }) => sql.slice(from, to))

describe('statements of the editor', () => {
  it.each([
    ['select 1; select 2', ['select 1', 'select 2']],
    ["select ';' as a; select 2;", ["select ';' as a", 'select 2']],
    ["select 'it''s; fine'", ["select 'it''s; fine'"]],
    ["select 'over\nlines; it''s\nfine'; select 2", ["select 'over\nlines; it''s\nfine'", 'select 2']],
    ['select "a;b"', ['select "a;b"']],
    ['select `a;b`', ['select `a;b`']],
    ['-- one; two\nselect 1', ['-- one; two\nselect 1']],
    ['/* a; b\n c; */ select 1; select 2', ['/* a; b\n c; */ select 1', 'select 2']],
    ['/* a /* b; */ c; */ select 1', ['/* a /* b; */ c; */ select 1']],
    ['select $$a;b$$; select $x$;\n$$;$x$', ['select $$a;b$$', 'select $x$;\n$$;$x$']],
    ["select 'unclosed; text", ["select 'unclosed; text"]],
    ["select E'a\\';b'; select 2", ["select E'a\\';b'", 'select 2']],
    ['select $1; select 2', ['select $1', 'select 2']],
    ['  ;\n; ', []],
    ['select 1;\n-- only words; here\n/* and; here */', ['select 1']],
  ])('%s', (sql, expected) => {
    expect(textsOf(sql)).toEqual(expected)
  })

  it('knows how MySQL writes texts and comments', () => {
    expect(textsOf("select 'a\\';b'; # one; two\nselect 2", mysql)).toEqual(["select 'a\\';b'", '# one; two\nselect 2'])
    expect(textsOf('/* a /* b; */ select 1; select 2', mysql)).toEqual(['/* a /* b; */ select 1', 'select 2'])
  })

  it('takes the statement at the cursor, or the one before it', () => {
    const sql = 'select 1;\n\nselect 2;\n'
    const lines = linesOf(sql)
    const at = (cursor: number) => {
      const found = statementAt(lines, cursor)
      return found && sql.slice(found.from, found.to)
    }
    expect([0, 8, 9, 12, 21].map(at)).toEqual(['select 1', 'select 1', 'select 1', 'select 2', 'select 2'])
    expect(statementAt(lines, 12)).toMatchObject({ index: 1, of: 2 })
    expect(statementAt(linesOf(''), 0)).toBeUndefined()
  })

  it('after any change says the same as a fresh reading', () => {
    let doc = Text.of("select 1;\nselect 'a';\n\n/* x */ select $$b$$;\nselect 4".split('\n'))
    let lines = readLines(doc, ansiQuoting)
    const changes: [from: number, to: number, insert: string][] = [
      [10, 10, "'"],
      [10, 11, ''],
      [0, 0, '/* '],
      [4, 4, '*/\n\n'],
      [8, 30, '$$\n;'],
      [3, 3, '\n;\n;'],
      [0, 12, ''],
    ]
    for (const [from, to, insert] of changes) {
      const first = doc.lineAt(from).number
      const lastOld = doc.lineAt(to).number
      doc = doc.replace(from, to, Text.of(insert.split('\n')))
      lines = rereadLines(lines, doc, { first, lastOld, lastNew: doc.lineAt(from + insert.length).number }, ansiQuoting)
      expect(lines).toEqual(readLines(doc, ansiQuoting))
    }
  })

  it('a key in a script of 10,000 lines reads its line alone', () => {
    const doc = Text.of(Array.from({ length: 10_000 }, (_, at) => `select ${at} from a_table where b = 'c';`))
    let read = 0
    const counted = { lines: doc.lines, line: (number: number) => (read++, doc.line(number)) }
    const lines = readLines(doc, ansiQuoting)
    rereadLines(lines, counted, { first: 5000, lastOld: 5000, lastNew: 5000 }, ansiQuoting)
    expect(read).toBe(1)
    expect(statementAt(lines, doc.line(5000).from)).toMatchObject({ index: 4999, of: 10_000 })
  })
})
