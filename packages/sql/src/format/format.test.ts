import { lex } from '@parquetry/model/lex'
import { describe, expect, it } from 'vitest'
import { formatSql } from './format.ts'

const lines = (...text: string[]) => text.join('\n')

/** Reproducible pseudorandom numbers. */
function random(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}

const engines = ['postgresql', 'duckdb', 'mysql', 'sqlite', 'trino', 'clickhouse', null]

/** Tokens of a text, with words case-insensitive. */
const meaning = (sql: string, engine: string | null) =>
  lex(sql, engine === 'duckdb' || engine === null ? 'postgresql' : engine).map(({ text }) => text)

describe('formatSql', () => {
  it('regression: returns text that is nested too deeply unchanged', () => {
    const sql = `select 1 ${'('.repeat(20_000)}`
    expect(formatSql(sql, 'duckdb')).toBe(sql)
  })

  it('puts clauses on lines, capitalizes keywords and leaves names unchanged', () => {
    expect(
      formatSql(
        'select region, sum(revenue) as revenue from orders o left join customers c on o.cid = c.id where a=1 and b in (select id from x) group by 1 order by revenue desc limit 10',
        'duckdb',
      ),
    ).toBe(
      lines(
        'SELECT region, sum(revenue) AS revenue',
        'FROM orders o',
        'LEFT JOIN customers c ON o.cid = c.id',
        'WHERE a=1 AND b IN (SELECT id FROM x)',
        'GROUP BY 1',
        'ORDER BY revenue DESC',
        'LIMIT 10',
      ),
    )
  })

  it('breaks long lines: lists at commas, conditions at AND and OR, sub-queries in parentheses, CASE at its branches', () => {
    const wide = 'a_rather_long_name_of_a_column'
    expect(
      formatSql(
        `select ${wide}_1, ${wide}_2, case when ${wide} between 1 and 2 then 'first of all' when ${wide} is null then 'none' else 'other' end as kind from (select * from t where ${wide} = 1 or ${wide}_2 = 2 or ${wide}_3 = 3) q`,
        'postgresql',
      ),
    ).toBe(
      lines(
        'SELECT',
        `  ${wide}_1,`,
        `  ${wide}_2,`,
        '  CASE',
        `    WHEN ${wide} BETWEEN 1 AND 2 THEN 'first of all'`,
        `    WHEN ${wide} IS NULL THEN 'none'`,
        `    ELSE 'other'`,
        '  END AS kind',
        'FROM (',
        '    SELECT *',
        '    FROM t',
        '    WHERE',
        `      ${wide} = 1`,
        `      OR ${wide}_2 = 2`,
        `      OR ${wide}_3 = 3`,
        '  ) q',
      ),
    )
  })

  it('keeps statements separate and comments in place', () => {
    expect(
      formatSql('-- one\nselect 1; -- its end\n/* two */\nselect a, -- why\nb\n-- from here\nfrom t;', 'postgresql'),
    ).toBe(
      lines(
        '-- one',
        'SELECT 1; -- its end',
        '',
        '/* two */',
        'SELECT',
        '  a, -- why',
        '  b',
        '-- from here',
        'FROM t;',
      ),
    )
  })

  it.each([
    ['comments', 'select /*+ hint */ 1 -- end'],
    ['nested comments', 'select /* a /* b */ c */ 1'],
    ['quoted texts', `select 'a  from  b', E'\\'  where ', "from"  . "a  b" from t`],
    ['dollar quotes', 'select $x$ select  1 $x$, $$ from $$'],
    ['templates', `select {{ a  }}, '{{ b["it''s"]  }}', t_{{ c }}.x from {{ d }}_e where {% if f %} a  {% endif %}`],
    ['operators that touch', "select a- -b, a::int, a->>'x', a@>b, -1, 1e5x from t"],
    ['calls', 'select count (x), count(x), in_(1)'],
    ['names like words', 'select t.from, t.order, 1 as end, 2 as desc, "case" from x as group'],
    ['texts in a row', "select 'a'\n'b'"],
  ])('keeps %s', (_what, sql) => {
    const found = formatSql(sql, 'postgresql')
    const written = (text: string) => text.replaceAll(/\s+/g, ' ').toLowerCase()
    expect(written(found)).toBe(written(sql))
    expect(formatSql(found, 'postgresql')).toBe(found)
  })

  it('reads backslashes, backticks and comments as the engine does', () => {
    expect(formatSql("select 'it\\'s  from', `a  b` # from here\nfrom t", 'mysql')).toBe(
      lines('SELECT', "  'it\\'s  from',", '  `a  b` # from here', 'FROM t'),
    )
    expect(formatSql('select [a  b] from t', 'sqlite')).toBe('SELECT [a  b]\nFROM t')
    expect(formatSql('select Case, end from t where not x', 'clickhouse')).toBe('select Case, end\nfrom t\nwhere not x')
  })

  it('returns text unchanged when it cannot be tokenized reliably', () => {
    for (const sql of ["select  'open", 'select  /* open', 'select  "open', 'select  ꙮ'])
      expect(formatSql(sql, 'postgresql')).toBe(sql)
    // one string for MySQL, three tokens for PostgreSQL
    const ambiguous = "select 'a\\'  from  b', 1"
    expect(formatSql(ambiguous, null)).toBe(ambiguous)
    expect(formatSql("select  'a'", null)).toBe("select 'a'")
  })

  it('keeps an empty text empty', () => {
    expect([formatSql('', null), formatSql('  \n', 'duckdb'), formatSql('-- x', 'duckdb')]).toEqual(['', '', '-- x'])
  })

  const parts =
    `select|SELECT|from|where|and|or|on|group by|order by|limit|union all|with|as|case|when|then|else|end|between
    |left join|cross join|join|in|is|not|null|insert into|values|set|update|delete from|desc|asc|a|b.c|"q  x"|t1|count|f
    |1|2.5|'s  t'|'it''s'|E'\\'a'|$$ x  y $$|$1|(|)|(|)|,|,|;|=|>=|-|--|::|.|*|/|-- note\n|-- note\n|/* c */|/* c
d */|{{ x }}|{{ y }}|{% if z %}|{% endif %}|{# n #}|'{{ s  }}'|\`t  i\`|[b  r]|# h\n|?|\\|{|}|:|@|"un|'un|é|İ|ß`
      .split('|')
      .map((part) => part.replace(/^\n\s*/, ''))
  const gaps = ['', ' ', ' ', ' ', '  ', '\n', '\n\n', '\t', '\r\n', '\n  ']

  it.each(engines)('changes only the space between tokens of random text in %s, and is idempotent', (engine) => {
    const next = random(engine?.length ?? 1)
    const pick = <T>(from: readonly T[]): T => from[Math.floor(next() * from.length)]!
    for (let run = 0; run < 1500; run++) {
      const length = 1 + Math.floor(next() * 25)
      const sql = Array.from({ length }, () => pick(parts) + pick(gaps)).join('')
      const found = formatSql(sql, engine)
      expect(meaning(found, engine), sql).toEqual(meaning(sql, engine))
      expect(formatSql(found, engine), sql).toBe(found)
    }
  })

  it('handles parentheses nested a thousand deep', () => {
    const sql = `select ${'('.repeat(1000)}1${')'.repeat(1000)}`
    expect(formatSql(sql, 'duckdb').replaceAll(/\s/g, '')).toBe(sql.replace('select', 'SELECT').replaceAll(/\s/g, ''))
  })
})
