/** A statement of a text, including comments around it, and the value of its only cell; null if it cannot run here. */
type Held = readonly [sql: string, says: string | null]

/** A text that is easily split in the wrong place, and its statements as the engine reads them. */
export interface StatementCase {
  text: string
  statements: readonly Held[]
}

const text = (...statements: Held[]): StatementCase => ({
  text: statements.map(([sql]) => sql).join(';\n'),
  statements,
})

const two: Held = ['SELECT 2 AS x', '2']
/** `--` starts a comment on some engines and is a double minus on others. */
const dashes = 'SELECT 1--2; SELECT 3'
const nested = '/* a /* b; */ c; */ SELECT 1 AS x'
const notNested = '/* a /* b; */ SELECT 1 AS x'
const backslash: Held = ["SELECT 'a\\' AS x", 'a\\']
const escape: Held = ["SELECT 'a\\';b' AS x", "a';b"]
const dollars: Held = ['SELECT $$a;b$$ AS x', 'a;b']
const tagged: Held = ['SELECT $x$a;$$b;$x$ AS x', 'a;$$b;']
const named = (name: string): Held => [`SELECT ${name} AS x FROM (SELECT 1 AS ${name}) AS q`, '1']

const commonCases: readonly StatementCase[] = [
  text(["SELECT 'a;b' AS x", 'a;b'], two),
  text(["SELECT 'it''s; fine' AS x", "it's; fine"], two),
  text(['-- one; two\nSELECT 1 AS x', '1'], ['/* one; two */ SELECT 2 AS x -- three', '2']),
  { text: 'SELECT 1 AS x;\n-- one; two\n/* three; four */', statements: [['SELECT 1 AS x', '1']] },
]

const postgresql: readonly StatementCase[] = [
  text(dollars, two),
  text(tagged, two),
  text(["SELECT E'a\\';b' AS x", "a';b"], two),
  text(backslash, two),
  text([dashes, '1']),
  text([nested, '1'], two),
  text(named('"a"";b"'), two),
]

/** Checked on the engines themselves by `engineSuite`. */
export const statementCases: Readonly<Record<string, readonly StatementCase[]>> = {
  postgresql: [...commonCases, ...postgresql, text(named('t$a$'), named('u$a$'))],
  duckdb: [...commonCases, ...postgresql, text(named('t$a$'), named('u$a$'))],
  mysql: [
    ...commonCases,
    text(escape, two),
    text(['SELECT "a;\\";b" AS x', 'a;";b'], two),
    {
      text: dashes,
      statements: [
        ['SELECT 1--2', '3'],
        ['SELECT 3', '3'],
      ],
    },
    text(['SELECT 1 # one; two\n+ 1', '2'], two),
    text(['SELECT 1 -- one; two\n+ 1', '2'], two),
    text([notNested, '1'], two),
    text(named('`a``;b`'), two),
    text(named('$$a'), named('b$$')),
  ],
  sqlite: [
    ...commonCases,
    text(named('[a;b]'), two),
    text(named('`a``;b`'), two),
    text(named('"a"";b"'), two),
    text(backslash, two),
    text([dashes, '1']),
    text([notNested, '1'], two),
  ],
  trino: [
    ...commonCases,
    // A function body is the only place for a dollar-quoted text.
    text(["WITH FUNCTION f() RETURNS bigint LANGUAGE PYTHON AS $$\na; b = 'c\n$$ SELECT f()", null], two),
    text(named('"a"";b"'), two),
    text(backslash, two),
    text([dashes, '1']),
    text([notNested, '1'], two),
  ],
  clickhouse: [
    ...commonCases,
    text(dollars, two),
    text(tagged, two),
    text(escape, two),
    text(named('`a\\`;b`'), two),
    text(named('"a"";b"'), two),
    text(['SELECT ‘a;b’ AS “x;y”', 'a;b'], two),
    text([dashes, '1']),
    text([nested, '1'], two),
    text(['SELECT 1 # one; two\n+ 1', '2'], two),
    text(['#! one; two\nSELECT 1 AS x', '1'], two),
    text(['SELECT 1 // one; two\n+ 1', '2'], two),
  ],
}
