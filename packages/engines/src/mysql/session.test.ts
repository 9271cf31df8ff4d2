import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import { textAt } from '@parquetry/frame'
import { createCsvEncoder } from '@parquetry/frame/encode'
import { defaultLimits } from '@parquetry/model'
import { inlineValues, sql } from '@parquetry/query'
import { errorCodeOf, firstRow, readAll, withOpenSession } from '@parquetry/testing/sessions'
import { countFound } from '@parquetry/testing/value-suite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Session, SessionContext } from '../shared/driver.ts'
import { dialect } from './dialect.ts'
import { mysqlDriver } from './driver.ts'
import type { Settings } from './engine.ts'
import { runAsAdmin, openTestSession, testServerSettings } from './testing.ts'

const schema = `session_${process.pid}`
const open = (context: Partial<SessionContext> = {}, own: Partial<Settings> = {}) =>
  openTestSession(schema, context, own)

const running = async (text: string) => {
  const [rows = []] = await runAsAdmin([
    `SELECT ID FROM information_schema.PROCESSLIST WHERE INFO LIKE ? AND INFO NOT LIKE '%PROCESSLIST%'`,
    [`%${text}%`],
  ])
  return rows.length
}
const until = async (check: () => Promise<boolean>) => {
  const end = performance.now() + 25_000
  while (!(await check()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50))
  expect(await check()).toBe(true)
}

describe.skipIf(!testServerSettings)('MySQL session', () => {
  beforeAll(async () => {
    await runAsAdmin(
      [`CREATE DATABASE ${schema} CHARACTER SET utf8mb4`],
      [`CREATE TABLE ${schema}.t (a int, b varchar(20))`],
      [`INSERT INTO ${schema}.t VALUES (1, 'x'), (2, 'y')`],
    )
  })
  afterAll(async () => void (await runAsAdmin([`DROP DATABASE ${schema}`])))

  it('C080: shows values of its own types as their texts', async () => {
    await runAsAdmin(
      [`SET sql_mode = ''`],
      [
        `CREATE TABLE ${schema}.z (d date, e enum('x','y'), s set('a','b'), ok tinyint(1), small smallint, bit5 bit(5))`,
      ],
      [`INSERT INTO ${schema}.z VALUES ('0000-00-00', 'x', 'a,b', 2, 3, b'101')`],
    )
    const texts = (sql: string) =>
      withOpenSession(open(), async (session) => {
        const { frame } = await readAll(session, sql)
        return Object.fromEntries(frame.columns.map((column) => [column.name, textAt(column, 0)]))
      })
    expect(
      await texts(`SELECT CAST(18446744073709551615 AS UNSIGNED) AS u, b'1' AS bit1, CAST('838:59:59' AS TIME) AS long_time,
        CAST('-00:00:01' AS TIME) AS neg_time, CAST(1.10 AS DECIMAL(30,20)) AS d, x'00FF' AS bin, YEAR('2024-02-29') AS y`),
    ).toEqual({
      u: '18446744073709551615',
      bit1: 'AQ==',
      long_time: '838:59:59',
      neg_time: '-00:00:01',
      d: '1.10000000000000000000',
      bin: 'AP8=',
      y: '2024',
    })
    expect(await texts('SELECT * FROM z')).toEqual({ d: null, e: 'x', s: 'a,b', ok: '2', small: '3', bit5: '5' })
    const month = dialect.timeGrain['P1M']!(sql.id('d'))
    const text = inlineValues(sql`SELECT ${month} AS m, COUNT(*) AS n FROM z GROUP BY 1`, dialect)
    expect(await texts(text)).toMatchObject({ n: '1' })
  })

  it('regression: a number finds no text that it does not equal', async () => {
    const unknown = { sql: `SELECT 'abc' AS v UNION ALL SELECT '0'`, type: null, type_generic: null }
    await withOpenSession(open(), async (session) => {
      expect(await countFound(session, dialect, unknown, { op: '==', val: 0 })).toBe(1)
      const numbers = { ...unknown, sql: 'SELECT 0 AS v UNION ALL SELECT 1.50' }
      expect(await countFound(session, dialect, numbers, { op: 'IN', val: [0, 1.5] })).toBe(2)
      const typed = { ...numbers, type: 'DECIMAL(3, 2)', type_generic: 0 } as const
      expect(await countFound(session, dialect, typed, { op: '==', val: 'abc' })).toBe(0)
    })
  })

  it('regression: small integers are integers, not floats', async () => {
    await withOpenSession(open(), async (session) => {
      const { frame } = await readAll(session, 'SELECT a, CAST(1 AS SIGNED) AS b FROM t')
      const encoder = createCsvEncoder({ escape: false, separator: ',', header: false })
      encoder.start(frame.columns)
      const bytes = [...encoder.frame(frame), ...encoder.end()]
      expect(Buffer.concat(bytes).toString()).toBe('1,1\n2,1\n')
    })
  })

  it.each([
    'CREATE TABLE u (a int)',
    'DELETE FROM t',
    'UPDATE t SET a = 3',
    'INSERT INTO t VALUES (3, NULL)',
    'DROP TABLE t',
    'TRUNCATE t',
    'ALTER TABLE t ADD c int',
    'CREATE TABLE u AS SELECT * FROM t',
  ])('rejects in a read-only session: %s', async (sql) => {
    await withOpenSession(open(), (session) =>
      expect(readAll(session, sql).catch(errorCodeOf)).resolves.toBe('dml_not_allowed'),
    )
    expect(await withOpenSession(open(), (session) => firstRow(session, 'SELECT COUNT(*) FROM t'))).toEqual([2])
  })

  it('stays read-only when a statement changes its mode', async () => {
    await withOpenSession(open(), async (session) => {
      await readAll(session, 'SET SESSION TRANSACTION READ WRITE')
      await expect(readAll(session, 'DELETE FROM t').catch(errorCodeOf)).resolves.toBe('dml_not_allowed')
      await readAll(session, 'START TRANSACTION READ WRITE').catch(() => {})
      await expect(readAll(session, 'CREATE TABLE u (a int)').catch(errorCodeOf)).resolves.toBe('dml_not_allowed')
    })
  })

  it('writes when DML is allowed, and commits every statement immediately', async () => {
    await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TABLE written (a int)')
      await readAll(session, 'INSERT INTO written VALUES (1)')
      await readAll(session, 'SELECT nope').catch(() => {})
    })
    expect(await withOpenSession(open(), (session) => firstRow(session, 'SELECT COUNT(*) FROM written'))).toEqual([1])
    await runAsAdmin([`DROP TABLE ${schema}.written`])
  })

  it('leaves nothing behind for the next session on the same connection', async () => {
    const id = (session: Session) => firstRow(session, 'SELECT CONNECTION_ID()')
    const before = await withOpenSession(open({ allowDml: true }), async (session) => {
      await readAll(session, 'CREATE TEMPORARY TABLE mine (a int)')
      await readAll(session, 'SET @mine = 1')
      await readAll(session, `SET SESSION group_concat_max_len = 7, time_zone = '+05:00'`)
      await readAll(session, `PREPARE mine FROM 'SELECT 1'`)
      await readAll(session, `SELECT GET_LOCK('mine', 1)`)
      await readAll(session, 'USE information_schema')
      await readAll(session, `SET autocommit = 0`)
      await readAll(session, 'START TRANSACTION')
      return id(session)
    })
    await withOpenSession(open(), async (session) => {
      expect(await id(session)).toEqual(before)
      const left =
        "SELECT @mine, @@group_concat_max_len > 7, @@time_zone, DATABASE(), @@autocommit, IS_FREE_LOCK('mine')"
      expect(await firstRow(session, left)).toEqual([null, 1, '+00:00', schema, 1, 1])
      await expect(readAll(session, 'SELECT * FROM mine').catch(errorCodeOf)).resolves.toBe('table_missing')
      await expect(readAll(session, 'EXECUTE mine').catch(errorCodeOf)).resolves.toBe('query_failed')
    })
  })

  it("reads string literals as our lexer does, whatever the server's SQL mode", async () => {
    const [[[before] = []] = []] = await runAsAdmin(['SELECT @@GLOBAL.sql_mode'])
    await runAsAdmin([`SET GLOBAL sql_mode = 'ANSI,NO_BACKSLASH_ESCAPES,STRICT_TRANS_TABLES'`])
    try {
      await withOpenSession(open({}, { query: { charset: 'utf8mb4' } }), async (session) => {
        expect(await firstRow(session, `SELECT 'a\\'b', "c", @@sql_mode`)).toEqual([
          `a'b`,
          'c',
          expect.stringMatching(/STRICT_TRANS_TABLES/),
        ])
      })
    } finally {
      await runAsAdmin(['SET GLOBAL sql_mode = ?', [before]])
    }
  })

  it('stops a statement at its time limit', async () => {
    await withOpenSession(open({ timeoutMs: 300 }), (session) =>
      expect(
        readAll(session, 'SELECT COUNT(*) FROM seq_1_to_100000 a, seq_1_to_100000 b').catch(errorCodeOf),
      ).resolves.toBe('query_timeout'),
    )
  })

  it('ends a statement on the server when it is canceled and when its reader stops', async () => {
    await withOpenSession(open(), async (session) => {
      const pending = readAll(session, 'SELECT COUNT(*) AS stopped_one FROM seq_1_to_100000 a, seq_1_to_100000 b')
      await until(async () => (await running('stopped_one')) === 1)
      void session.cancel()
      await expect(pending.catch(errorCodeOf)).resolves.toBe('query_stopped')
      await until(async () => (await running('stopped_one')) === 0)
    })
    await withOpenSession(open(), async (session) => {
      const text = `SELECT a.seq, REPEAT('x', 1000) AS left_one FROM seq_1_to_100000 a, seq_1_to_100000 b`
      for await (const _ of session.run({ name: 'x', text, values: [] }, defaultLimits)) break
      // The server responds before it updates its process list.
      await until(async () => (await running('left_one')) === 0)
      expect(await firstRow(session, 'SELECT 1')).toEqual([1])
    })
  })

  it('reads zero dates as null, and other types exactly', async () => {
    await runAsAdmin(
      [
        `CREATE TABLE ${schema}.types (d date, dt datetime, ts timestamp(6) NULL, b bit(10), l bit(64), y year, e enum('p','q'),
        s set('p','q'), bl blob, bin binary(3), tb tinyint(1), u bigint unsigned, mt mediumtext, j json, f float)`,
      ],
      [`SET sql_mode = ''`],
    )
    await runAsAdmin([
      `INSERT IGNORE INTO ${schema}.types VALUES ('0000-00-00', '2020-00-10', '2020-01-02 03:04:05.000001', b'1000000001', ~0, 1999,
        'q', 'p,q', x'ff00', 'a', 1, 7, 'ü😀', '{"a": 1}', 3.4e38)`,
    ])
    await withOpenSession(open(), async (session) => {
      expect(await firstRow(session, 'SELECT * FROM types')).toEqual([
        null,
        null,
        Date.UTC(2020, 0, 2, 3, 4, 5) + 0.001,
        513,
        '18446744073709551615',
        1999,
        'q',
        'p,q',
        '/wA=',
        'YQAA',
        1,
        7,
        'ü😀',
        '{"a": 1}',
        3.4e38,
      ])
    })
    await runAsAdmin([`DROP TABLE ${schema}.types`])
  })

  it('SQL-008: estimates a statement without running it, and rejects invalid ones', async () => {
    await withOpenSession(open(), async (session) => {
      // Runs for minutes, longer than the time limit of the session.
      const sql = 'SELECT COUNT(*) FROM t, t AS u, seq_1_to_100000 a, seq_1_to_100000 b'
      expect(await session.describe({ what: 'estimate', sql })).toMatchObject({
        cost: { 'Total cost': expect.stringMatching(/^\d+\.?\d*$/), 'Rows examined': expect.stringMatching(/^\d+$/) },
      })
      for (const wrong of ['SELECT 1; SELECT 2', 'SELECT nope FROM t', '', 'nonsense (']) {
        await expect(session.describe({ what: 'estimate', sql: wrong })).rejects.toMatchObject({ status: 400 })
      }
    })
  })

  it('lists built-in and stored functions', async () => {
    await runAsAdmin([`CREATE FUNCTION ${schema}.half(n int) RETURNS int DETERMINISTIC RETURN n / 2`])
    const { names } = (await withOpenSession(open(), (session) => session.describe({ what: 'functions' }))) as {
      names: string[]
    }
    expect(names).toEqual(expect.arrayContaining(['abs', 'date_format', 'group_concat', 'half']))
    expect(names).toEqual([...new Set(names)].toSorted())
  })

  it("describes keys, comments, views and types in the API's spelling", async () => {
    await runAsAdmin(
      [`CREATE TABLE ${schema}.parent (a int, b varchar(20), PRIMARY KEY (b, a))`],
      [
        `CREATE TABLE ${schema}.child (id bigint PRIMARY KEY, x int, y varchar(20) NOT NULL UNIQUE COMMENT 'why', n decimal(10,2),
           t datetime, c char(3), e enum('A','b'), u int unsigned, CONSTRAINT child_fk FOREIGN KEY (y, x)
           REFERENCES ${schema}.parent (b, a), KEY child_n (n, t)) COMMENT 'the child'`,
      ],
      [`CREATE VIEW ${schema}.some AS SELECT x FROM ${schema}.child WHERE x > 1`],
    )
    await withOpenSession(open(), async (session) => {
      expect(await session.describe({ what: 'table', schema, table: 'child' })).toMatchObject({
        comment: 'the child',
        rows: 0,
        columns: [
          { name: 'id', type: 'BIGINT(20)', generic: 0, nullable: false },
          { name: 'x', type: 'INTEGER(11)', generic: 0, nullable: true },
          { name: 'y', type: 'VARCHAR(20)', generic: 1, comment: 'why' },
          { name: 'n', type: 'DECIMAL(10, 2)', generic: 0 },
          { name: 't', type: 'DATETIME', generic: 2 },
          { name: 'c', type: 'CHAR(3)', generic: 1 },
          { name: 'e', type: `ENUM('A','b')`, generic: 1 },
          { name: 'u', type: 'INTEGER(10) UNSIGNED', generic: 0 },
        ],
        keys: expect.arrayContaining([
          { name: 'PRIMARY', column_names: ['id'], type: 'pk' },
          { name: 'y', column_names: ['y'], type: 'unique' },
          expect.objectContaining({
            type: 'fk',
            column_names: ['y', 'x'],
            referred_schema: schema,
            referred_table: 'parent',
            referred_columns: ['b', 'a'],
          }),
          { name: 'child_n', column_names: ['n', 't'], type: 'index' },
        ]),
      })
      expect(await session.describe({ what: 'table', schema: null, table: 'some' })).toMatchObject({
        view: expect.stringContaining('where'),
        columns: [{ name: 'x' }],
        keys: [],
      })
      expect(await session.describe({ what: 'tables', schema: null })).toMatchObject({
        tables: expect.arrayContaining([{ name: 'some', type: 'view' }]),
      })
    })
    await runAsAdmin([`DROP VIEW ${schema}.some`], [`DROP TABLE ${schema}.child, ${schema}.parent`])
  })

  it.each([
    [{ port: 1 }, 'connection_failed'],
    [{ host: 'nobody.invalid' }, 'connection_hostname'],
    [{ database: 'nobody' }, 'connection_database'],
    [{ password: 'wrong' }, 'connection_password'],
    [{ username: 'nobody' }, 'connection_password'],
    [{ username: '' }, 'connection_missing'],
    [{ encryption: true }, 'connection_failed'],
  ])('reports connection problems: %j fails with %s', async (wrong, expected) => {
    const opening = mysqlDriver.open(
      { ...testServerSettings!, ...wrong },
      { schema: null, timeoutMs: 1000, allowDml: false },
    )
    await expect(opening.catch(errorCodeOf)).resolves.toBe(expected)
  })

  it('regression: allows any column name, including those that the client rejects for objects', async () => {
    const names = ['__proto__', '__defineGetter__', 'constructor', 'a']
    const columns = names.map((name, index) => `${index + 1} AS \`${name}\``).join(', ')
    await withOpenSession(open(), async (session) => {
      for (const [text, values] of [
        [`SELECT ${columns} FROM t WHERE a = 1`, []],
        [`SELECT ${columns} FROM t WHERE a = ?`, [1]],
      ] as const) {
        for await (const frame of session.run({ name: 'x', text, values: [...values] }, defaultLimits))
          if (frame.rows > 0) expect(frame.columns.map(({ name }) => name)).toEqual(names)
        expect(await firstRow(session, text.replace('?', '1'))).toEqual([1, 2, 3, 4])
      }
      expect(await session.describe({ what: 'columns', sql: `SELECT ${columns}` })).toMatchObject({
        columns: names.map((name) => ({ name })),
      })
    })
  })

  it('reports a missing schema', async () => {
    await expect(openTestSession('nobody').catch(errorCodeOf)).resolves.toBe('schema_missing')
  })

  it('fails a statement whose connection is lost, during execution and between frames', async () => {
    const session = await open()
    const [id] = await firstRow(session, 'SELECT CONNECTION_ID()')
    const pending = readAll(session, 'SELECT SLEEP(20)').catch(errorCodeOf)
    await runAsAdmin([`KILL ${Number(id)}`])
    expect(await pending).toBe('connection_failed')
    await session.close()

    const gate = await gateTo(testServerSettings!)
    await withOpenSession(open({}, gate.settings), async (through) => {
      const reading = async () => {
        const many = { name: 'many', text: `SELECT seq, REPEAT('x', 1000) FROM seq_1_to_100000`, values: [] }
        for await (const _ of through.run(many, { ...defaultLimits, bytes: 1e9, rows: 100_000 })) gate.cut()
      }
      await expect(reading().catch(errorCodeOf)).resolves.toBe('connection_failed')
    })
  })

  it.each([
    ['one value larger than an answer', `SELECT REPEAT('x', 15000000) AS x`],
    ['many values at once', `SELECT REPEAT('x', 1000000) AS x FROM seq_1_to_2000`],
  ])('rejects %s without allocating memory for it', async (_, sql) => {
    const before = process.memoryUsage().rss
    await withOpenSession(open(), (session) =>
      expect(readAll(session, sql, { limits: { bytes: 8 << 20 } }).catch(errorCodeOf)).resolves.toBe(
        'result_too_large',
      ),
    )
    expect(process.memoryUsage().rss - before).toBeLessThan(300 << 20)
  })

  it('cuts the connection when the server cannot be reached to stop a statement', async () => {
    const gate = await gateTo(testServerSettings!)
    const holder = await open()
    expect(await firstRow(holder, `SELECT GET_LOCK('${schema}', 0)`)).toEqual([1])
    const session = await open({ timeoutMs: 600_000 }, gate.settings)
    // While the lock is held, only the end of its connection ends it.
    const pending = readAll(session, `SELECT GET_LOCK('${schema}', 600)`).catch(errorCodeOf)
    gate.shut()
    await session.cancel()
    expect(await pending).toBe('query_stopped')
    await session.close()
    await holder.close()
  })

  it.each([
    ['nothing', ''],
    ['the half of a greeting', 'J\u0000\u0000\u0000\n5.5'],
    ['something else', 'HTTP/1.1 400 Bad Request\r\n\r\n'],
  ])('gives up on a server that responds with %s', async (_, answer) => {
    const server = createServer((socket) => socket.on('error', () => {}).write(answer))
    const port = await listening(server)
    const opening = mysqlDriver.open(
      { ...testServerSettings!, host: '127.0.0.1', port },
      { schema: null, timeoutMs: 1000, allowDml: false },
    )
    await expect(opening.catch(errorCodeOf)).resolves.toBe('connection_failed')
    server.close()
  })
})

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

/** A proxy to the server that can be closed for new connections. */
async function gateTo({ host, port }: Settings) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    const there = connect({ host, port })
    for (const [from, to] of [
      [socket, there],
      [there, socket],
    ] as const) {
      sockets.add(from)
      from.on('error', () => to.destroy())
      from.pipe(to)
    }
  })
  return {
    settings: { host: '127.0.0.1', port: await listening(server) },
    /** Existing connections stay open. */
    shut: () => void server.close(),
    cut() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
