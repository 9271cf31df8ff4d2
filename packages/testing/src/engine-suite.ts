import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isDeepStrictEqual } from 'node:util'
import type { Session } from '@parquetry/engines/drivers'
import { cellAt, type Cell, describeFrame as describeColumns, type Frame, genericOf, textAt } from '@parquetry/frame'
import { type AppError, defaultLimits, type Limits, type Statement, type Value } from '@parquetry/model'
import type { Dialect } from '@parquetry/query'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grainSuite } from './grain-suite.ts'
import { numberSuite } from './number-suite.ts'
import { planCase, queryCases } from './query-cases.ts'
import { readAll, withOpenSession as usingSession } from './sessions.ts'
import { statementCases } from './statement-cases.ts'
import { valueSuite, type ValueTypes, type WriteRows } from './value-suite.ts'

/** A driver under test with the data and SQL that the suite needs; the suite only uses sessions. */
export interface EngineUnderTest {
  dialect: Dialect
  /** Schema of the sample tables (`sample-tables.ts`), which must exist under their names; null for engines without schemas. */
  schema: string | null
  /** Schema with the cars for random queries, where the table in `schema` is slow to query. */
  numbersSchema?: string
  start(): Promise<void>
  stop(): Promise<void>
  session(options?: { timeoutMs?: number }): Promise<Session>
  /** A query that runs for at least ten seconds with little CPU time. */
  slow: string
  /** A query with 200,000 rows of a number `i` from 0 and a text `t`. */
  many: string
  /** A query that fails after 90,000 valid rows. */
  failsLate: string
  /** The grain `P1W` begins on Sunday, as in the API on this engine. */
  startsWeekOnSunday?: true
  /** Spelling that differs from the standard and PostgreSQL. */
  spelling?: Partial<Spelling>
  /** Types for the values that the suite lists, filters by and exports. */
  valueTypes: ValueTypes
  /** Cases of each property, 40 by default. */
  cases?: number
  /** Engine-specific expressions with their expected cells and texts. */
  values: Record<string, ValueUnderTest>
}

export interface Spelling {
  /** Types for a CAST of nullable values. */
  types: { text: string; integer: string; double: string; boolean: string }
  /** SQL of a table with given rows. By default a union, which every engine knows. */
  rows: WriteRows
  /** Concatenates SQL expressions, some of which are not text. */
  concat(...parts: string[]): string
  /** Returns a text that consists of `x` only. */
  long(length: number): string
  /** Value returned for a bound `true`. */
  truth: Cell
  /** A valid statement that fails with `abc` in its message. */
  failing: string
  /** False if the engine only knows the type of an expression at run time. */
  typesExpressions: boolean
}

const writeUnion: WriteRows = (names, rows) =>
  rows.map((row) => `SELECT ${row.map((value, index) => `${value} AS ${names[index]}`).join(', ')}`).join(' UNION ALL ')

/** Rows as most engines read them faster than a union. */
export const writeValues: WriteRows = (names, rows) =>
  `SELECT * FROM (VALUES ${rows.map((row) => `(${row.join(', ')})`).join(', ')}) AS r(${names.join(', ')})`

const standardSpelling: Spelling = {
  types: { text: 'VARCHAR', integer: 'INTEGER', double: 'DOUBLE PRECISION', boolean: 'BOOLEAN' },
  rows: writeUnion,
  concat: (...parts) => parts.join(' || '),
  long: (length) => `repeat('x', ${length})`,
  truth: true,
  failing: `SELECT CAST('abc' AS INTEGER)`,
  typesExpressions: true,
}

export interface ValueUnderTest {
  sql: string
  kind: string
  cell: Cell
  text?: string
  generic?: 0 | 1 | 2 | 3
  /** The engine does not support CASE over this type. */
  noCase?: true
  /** Type that must be named around a CASE, because its size is lost inside. */
  caseType?: string
}

const statement = (text: string, values: Value[] = []): Statement => ({ name: 'test', text, values })

const column = (frame: Frame, name: string) => frame.columns.find((one) => one.name === name)!

const cells = (frame: Frame, name: string): Cell[] =>
  Array.from({ length: frame.rows }, (_, row) => cellAt(column(frame, name), row))

/** Defines the tests that every driver must pass. Call it once per test file. */
export function engineSuite(engine: EngineUnderTest): void {
  const { dialect } = engine
  const spelling: Spelling = { ...standardSpelling, ...engine.spelling }
  const { types, concat: joined, long: longText } = spelling
  const bound = (values: Value[], type: string) =>
    values.map((value, index) => `CAST(${dialect.placeholder(index + 1, value)} AS ${type})`)
  let shared: Promise<Session> | null = null
  beforeAll(() => engine.start())
  afterAll(async () => {
    await (await shared)?.close()
    await engine.stop()
  })

  const withOwnSession = <T>(use: (session: Session) => Promise<T>, options?: { timeoutMs?: number }): Promise<T> =>
    usingSession(engine.session(options), use)
  /** Uses the session shared by all tests that expect no failure. */
  const withSharedSession = async <T>(use: (session: Session) => Promise<T>): Promise<T> =>
    use(await (shared ??= engine.session()))
  const read = (text: string, options: { values?: Value[]; limits?: Partial<Limits> } = {}) =>
    withSharedSession((session) => readAll(session, text, options))
  const readAlone = (text: string, options: { values?: Value[]; limits?: Partial<Limits> } = {}) =>
    withOwnSession((session) => readAll(session, text, options))
  const failure = (text: string, values: Value[] = []) =>
    readAlone(text, { values }).then(
      () => expect.unreachable(`${text} did not fail`),
      (error: AppError) => error,
    )

  it(`${dialect.name}: runs each statement of scripts that are easily split in the wrong place`, async () => {
    const statements = (statementCases[dialect.name] ?? []).flatMap(({ statements }) => statements)
    expect(statements).not.toEqual([])
    await withSharedSession(async (session) => {
      for (const [sql, expected] of statements.filter((each) => each[1] !== null)) {
        const { frame } = await readAll(session, sql)
        expect([sql, ...frame.columns.map((only) => textAt(only, 0))]).toEqual([sql, expected])
      }
    })
  })

  describe(`${dialect.name}: values`, () => {
    it('returns each value exactly', async () => {
      const values = Object.entries(engine.values)
      const { frame } = await read(`SELECT ${values.map(([, { sql }], index) => `${sql} AS c${index}`).join(', ')}`)
      const found = frame.columns.map((only, index) => {
        const [name, { text, generic }] = values[index]!
        const cell = cellAt(only, 0)
        return {
          name,
          kind: only.kind,
          cell,
          ...(text !== undefined && { text: textAt(only, 0) }),
          ...(generic !== undefined && { generic: genericOf(only) }),
        }
      })
      const expected = values.map(([name, { kind, cell, text, generic }]) => ({
        name,
        kind,
        cell,
        ...(text !== undefined && { text }),
        ...(generic !== undefined && { generic }),
      }))
      expect(found).toEqual(expected)
    })

    it('returns nulls of each type, alone and between values', async () => {
      const cased = Object.entries(engine.values).filter(([, { noCase }]) => !noCase)
      const select = (condition: string) =>
        cased
          .map(([, { sql, caseType }], index) => {
            const chosen = `CASE WHEN ${condition} THEN ${sql} END`
            return `${caseType ? `CAST(${chosen} AS ${caseType})` : chosen} AS c${index}`
          })
          .join(', ')
      const { frame } = await read(`SELECT ${select('i % 2 = 0')} FROM (${engine.many}) AS q WHERE i < 3000 ORDER BY i`)
      const { frame: none } = await read(`SELECT ${select('1 = 0')}`)
      for (const [at, [name, { kind, cell, caseType }]] of cased.entries()) {
        const column = `c${at}`
        expect([name, ...cells(frame, column)]).toEqual([
          name,
          ...Array.from({ length: 3000 }, (_, i) => (i % 2 === 0 ? cell : null)),
        ])
        expect([name, ...cells(none, column)]).toEqual([name, null])
        if (caseType) expect([name, none.columns[at]!.kind]).toEqual([name, kind])
      }
    })

    it('returns texts of every length and script exactly, repeated or not', async () => {
      const words = ['', ' ', 'a', 'twelve chars', 'thirteen char', 'ünï 日本 😀', 'x'.repeat(5000), `a'b"c\\d\n`]
      const rows = Array.from({ length: 5000 }, (_, i) => (i % 3 === 0 ? words[i % words.length]! : `row ${i}`))
      const union = bound(words, types.text)
        .map((value, index) => `SELECT ${index} AS n, ${value} AS t`)
        .join(' UNION ALL ')
      // On ClickHouse, ORDER BY after a union only applies to its last part.
      const { frame } = await read(`SELECT t FROM (${union}) AS q ORDER BY n`, { values: words })
      expect(cells(frame, 't')).toEqual(words)
      const many = await read(
        `SELECT CASE WHEN i % 3 = 0 THEN ${bound(['again'], types.text)[0]} ELSE ${joined("'row '", 'i')} END AS t FROM (${engine.many}) AS q WHERE i < 5000 ORDER BY i`,
        { values: ['again'] },
      )
      expect(cells(many.frame, 't')).toEqual(rows.map((_, i) => (i % 3 === 0 ? 'again' : `row ${i}`)))
    })
  })

  const { cases = 40, startsWeekOnSunday = false } = engine
  valueSuite({ ...engine.valueTypes, dialect, writeRows: spelling.rows }, { withSharedSession, withOwnSession }, cases)
  numberSuite(dialect, engine.numbersSchema ?? engine.schema, withSharedSession, cases)
  grainSuite({ dialect, writeRows: spelling.rows, startsWeekOnSunday }, withSharedSession, cases)

  describe(`${dialect.name}: statements`, () => {
    it('binds any value', async () => {
      const values: Value[] = [`'; DROP TABLE x; --`, 7, 2.5, true, null, 'ü😀']
      const typed = [types.text, types.integer, types.double, types.boolean, types.text, types.text].map(
        (type, index) => `CAST(${dialect.placeholder(index + 1, values[index]!)} AS ${type}) AS c${index}`,
      )
      const { frame } = await read(`SELECT ${typed.join(', ')}`, { values })
      const expected = values.map((value) => (value === true ? spelling.truth : value))
      expect(frame.columns.map((one) => cellAt(one, 0))).toEqual(expected)
    })

    it('returns frames of at most 2,048 rows with the same columns', async () => {
      const { frame, sizes } = await read(`${engine.many} ORDER BY i LIMIT 5000`)
      expect(frame.rows).toBe(5000)
      expect(Math.max(...sizes)).toBeLessThanOrEqual(2048)
      expect(cells(frame, 'i').map(Number)).toEqual(Array.from({ length: 5000 }, (_, i) => i))
    })

    it('returns one empty frame with its columns when there are no rows', async () => {
      const { frame, sizes } = await read(`SELECT 1 AS a, CAST(NULL AS ${types.text}) AS b WHERE 1 = 0`)
      expect(sizes).toEqual([0])
      expect(describeColumns(frame).map(({ name }) => name)).toEqual(['a', 'b'])
    })

    it('stops reading one row after the limit', async () => {
      for (const rows of [0, 1, 2047, 2048, 3000]) {
        const { frame } = await read(engine.many, { limits: { rows } })
        expect(frame.rows).toBe(rows + 1)
      }
    })

    it('reads all of 200,000 rows', async () => {
      const { frame } = await read(engine.many, { limits: { rows: 1_000_000 } })
      expect(frame.rows).toBe(200_000)
      const sum = cells(frame, 'i').reduce<number>((total, i) => total + Number(i), 0)
      expect(sum).toBe((199_999 * 200_000) / 2)
      expect(new Set(cells(frame, 't')).size).toBe(200_000)
    })

    it.each([[10_000_000], [100_000]])('reports an error that follows many rows, with a limit of %i', async (rows) => {
      await expect(readAlone(engine.failsLate, { limits: { rows } })).rejects.toMatchObject({ code: 'query_failed' })
    })

    it('refuses several statements in one text', async () => {
      expect((await failure('SELECT 1; SELECT 2')).code).toMatch(/query_failed|syntax_error/)
    })

    it('refuses a value that is larger than the limit', async () => {
      const long = `SELECT ${longText(10_000)} AS x`
      expect((await read(long, { limits: { cellBytes: 10_000 } })).frame.rows).toBe(1)
      await expect(readAlone(long, { limits: { cellBytes: 9_999 } })).rejects.toMatchObject({
        code: 'result_too_large',
      })
    })

    it('runs several statements on one session, one after the other', async () => {
      await withSharedSession(async (session) => {
        for (const n of [1, 2, 3]) {
          const { frame } = await readAll(session, `SELECT ${n} AS n`)
          expect(cells(frame, 'n')).toEqual([n])
        }
      })
    })

    it('leaves the session usable when a reader stops early', async () => {
      await withOwnSession(async (session) => {
        for await (const frame of session.run(statement(engine.many), defaultLimits)) {
          expect(frame.rows).toBeGreaterThan(0)
          break
        }
        expect(cells((await readAll(session, 'SELECT 1 AS n')).frame, 'n')).toEqual([1])
      })
    })
  })

  describe(`${dialect.name}: errors`, () => {
    it.each([
      ['SELEC 1', 'syntax_error', { line: 1, column: 1, offset: 0 }],
      [`SELECT 'ü😀',\n  nope`, 'column_missing', { line: 2, column: 3, offset: 16 }],
      [`SELECT '😀é'\nFROM nope`, 'table_missing', { line: 2, column: 6, offset: 18 }],
      [`SELECT 1\nFRO x y z`, 'syntax_error', { line: 2 }],
    ] as const)('%j is %s', async (text, code, details) => {
      const error = await failure(text)
      expect(error).toMatchObject({ code, details })
      expect(error.message.length).toBeGreaterThan(5)
    })

    it('reports an error while running with the message of the engine', async () => {
      const error = await failure(spelling.failing)
      expect(error.code).toBe('query_failed')
      expect(error.message).toContain('abc')
    })
  })

  describe(`${dialect.name}: cancelling`, () => {
    it('cancels a running query', async () => {
      await withOwnSession(async (session) => {
        const running = readAll(session, engine.slow)
        let cancelledAt = 0
        const timer = setTimeout(() => {
          cancelledAt = performance.now()
          void session.cancel()
        }, 200)
        await expect(running).rejects.toMatchObject({ code: 'query_stopped' })
        clearTimeout(timer)
        // Without the cancel it would run for 20 seconds or more; a busy machine may need some for anything.
        expect(performance.now() - cancelledAt).toBeLessThan(10_000)
      })
    })

    it('cancels before the query, when it has just begun, and between frames', async () => {
      await withOwnSession(async (session) => {
        await session.cancel()
        await expect(readAll(session, engine.slow)).rejects.toMatchObject({ code: 'query_stopped' })
      })
      await withOwnSession(async (session) => {
        const running = readAll(session, engine.slow)
        void session.cancel()
        await expect(running).rejects.toMatchObject({ code: 'query_stopped' })
      })
      await withOwnSession(async (session) => {
        const reading = async () => {
          for await (const _ of session.run(statement(engine.many), { ...defaultLimits, rows: 1_000_000 }))
            await session.cancel()
        }
        await expect(reading()).rejects.toMatchObject({ code: 'query_stopped' })
      })
    })

    it('has no effect when nothing is running', async () => {
      await withOwnSession(async (session) => {
        await readAll(session, 'SELECT 1 AS n')
        await session.cancel()
      })
      expect(cells((await read('SELECT 1 AS n')).frame, 'n')).toEqual([1])
    })

    it('cancels one session and does not affect the others', async () => {
      const other = read('SELECT count(*) AS n FROM (' + engine.many + ') AS q')
      await withOwnSession(async (session) => {
        const running = readAll(session, engine.slow)
        setTimeout(() => void session.cancel(), 100)
        await expect(running).rejects.toMatchObject({ code: 'query_stopped' })
      })
      expect(cells((await other).frame, 'n').map(Number)).toEqual([200_000])
    })
  })

  describe(`${dialect.name}: catalog`, () => {
    it('lists schemas and tables', async () => {
      await withSharedSession(async (session) => {
        expect(await session.describe({ what: 'ping' })).toMatchObject({ what: 'ping', version: expect.any(String) })
        const schemas = await session.describe({ what: 'schemas' })
        if (engine.schema) expect(schemas).toMatchObject({ schemas: expect.arrayContaining([engine.schema]) })
        expect(await session.describe({ what: 'tables', schema: engine.schema })).toMatchObject({
          what: 'tables',
          tables: ['cars', 'seattle_weather', 'stocks'].map((name) => ({ name, type: 'table' })),
        })
      })
    })

    it('describes a table and a query', async () => {
      await withSharedSession(async (session) => {
        const table = await session.describe({ what: 'table', schema: engine.schema, table: 'stocks' })
        expect(table).toMatchObject({
          columns: [
            { name: 'symbol', generic: 1 },
            { name: 'date', type: expect.stringMatching(/^(TIMESTAMP|DATETIME)/), generic: 2 },
            { name: 'price', type: expect.stringMatching(/^(DOUBLE|FLOAT64)/), generic: 0 },
          ],
        })
        const text = `SELECT symbol AS ${dialect.quote('A b')}, count(*) AS n, max(date) AS last FROM stocks GROUP BY 1 -- all`
        expect(await session.describe({ what: 'columns', sql: text })).toMatchObject({
          columns: [
            { name: 'A b', generic: 1 },
            { name: 'n', ...(spelling.typesExpressions && { generic: 0 }) },
            { name: 'last', ...(spelling.typesExpressions && { generic: 2 }) },
          ],
        })
      })
    })

    it('reports missing tables and columns', async () => {
      await withOwnSession((session) =>
        expect(session.describe({ what: 'table', schema: engine.schema, table: 'nope' })).rejects.toMatchObject({
          code: 'table_missing',
        }),
      )
      await withOwnSession((session) =>
        expect(session.describe({ what: 'columns', sql: 'SELECT nope FROM stocks' })).rejects.toMatchObject({
          code: 'column_missing',
          details: { line: 1, column: 8 },
        }),
      )
    })
  })

  describe(`${dialect.name}: queries that every engine runs`, () => {
    const source = { kind: 'network', engine: dialect.name, id: 'suite', settings: {}, schema: engine.schema } as const

    it.each(queryCases)('returns the same rows as other engines: $name', async (one) => {
      const { plan } = planCase(one, { dialect, source, schema: engine.schema })
      const results = []
      for (const { text, values } of plan.statements) results.push(comparable((await read(text, { values })).frame))
      expectRows(one.name === 'by-week' && engine.startsWeekOnSunday ? 'by-week-from-sunday' : one.name, results)
    })
  })
}

type PlainRows = (string | number | boolean | null)[][]

/** Converts rows to plain values without engine-specific types: 3, 3n and 3.00 are the same number. */
const comparable = (frame: Frame): PlainRows =>
  Array.from({ length: frame.rows }, (_, row) =>
    frame.columns.map((one) => {
      const cell = cellAt(one, row)
      return cell !== null && genericOf(one) === 0 ? Number(cell) : (cell as string | number | boolean | null)
    }),
  )

/**
 * Compares results with `rows/<name>.json`, which is computed from the data files without an engine and shared by all engines.
 * The last digits of doubles are ignored, because sums depend on the row order. A difference is written next to it as
 * `<name>.changed.json`.
 */
function expectRows(name: string, results: PlainRows[]): void {
  const file = new URL(`../rows/${name}.json`, import.meta.url)
  const changed = new URL(`../rows/${name}.changed.json`, import.meta.url)
  const expected = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as PlainRows[]) : null
  if (expected !== null && isDeepStrictEqual(rounded(results), rounded(expected))) {
    rmSync(changed, { force: true })
    return
  }
  const lines = results.map((rows) => `[\n${rows.map((row) => JSON.stringify(row)).join(',\n')}\n]`)
  writeFileSync(changed, `[${lines.join(',\n')}]\n`)
  expect(rounded(results)).toEqual(expected && rounded(expected))
}

const rounded = (results: PlainRows[]): PlainRows[] =>
  results.map((rows) =>
    rows.map((row) => row.map((value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value))),
  )
