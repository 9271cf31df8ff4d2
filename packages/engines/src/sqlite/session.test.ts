import { fork, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { errorCodeOf, firstRow, readAll, withOpenSession } from '@parquetry/testing/sessions'
import { countFound } from '@parquetry/testing/value-suite'
import Database from 'better-sqlite3'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { dialect } from './dialect.ts'
import { sqliteDriver } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-sqlite-session-'))
const path = join(folder, 'a.db')
const endless = 'WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n WHERE i < 0'

const fileAt = (place: string) => {
  const { dev, ino } = statSync(place)
  return { path: place, dev, ino }
}
const open = (file: object | null = fileAt(path), timeoutMs = 10_000) =>
  sqliteDriver.open({ path, ...(file && { file }) }, { schema: null, timeoutMs, allowDml: false })
/** Neither exited nor a zombie. */
const isAlive = (pid: number) =>
  /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', String(pid)], { encoding: 'utf8' }).stdout.trim())
/** CPU time in seconds. */
const readCpuSeconds = (pid: number) =>
  Number(spawnSync('ps', ['-o', 'cputimes=', '-p', String(pid)], { encoding: 'utf8' }).stdout)

describe('SQLite session', () => {
  beforeAll(() => {
    const db = new Database(path)
    db.exec(`CREATE TABLE parent (a INTEGER, b TEXT, PRIMARY KEY (a, b));
      CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER NOT NULL, b TEXT UNIQUE, d DATE, ok BOOLEAN, x, r REAL,
        FOREIGN KEY (a, b) REFERENCES parent (a, b));
      CREATE INDEX t_d ON t (d, a);
      CREATE VIEW v AS SELECT a FROM t WHERE a > 1;
      INSERT INTO parent VALUES (1, 'p'), (2, 'q');
      INSERT INTO t VALUES (1, 1, 'p', '2020-02-29', 1, 'text', 3), (2, 2, 'q', 'soon', 0, 7, 2.5)`)
    db.close()
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('returns columns of the declared type, and preserves values of other types', async () => {
    await withOpenSession(open(), async (session) => {
      const { frame } = await readAll(session, 'SELECT id, d, ok, x, r FROM t')
      expect(frame.columns.map(({ kind, type }) => [kind, type])).toEqual([
        ['bigint', 'INTEGER'],
        ['string', 'DATE'],
        ['boolean', 'BOOLEAN'],
        ['string', 'TEXT'],
        ['number', 'REAL'],
      ])
      expect(await firstRow(session, 'SELECT d, x, r FROM t WHERE id = 1')).toEqual([Date.UTC(2020, 1, 29), 'text', 3])
      expect(await firstRow(session, 'SELECT d, x, r FROM t WHERE id = 2')).toEqual(['soon', 7, 2.5])
    })
  })

  it('regression: a filter finds a time in whatever form it is stored, and no other', async () => {
    const texts = ['2010-01-01 00:00:00.000000', '2010-01-01', '2010-01-01T00:00:00', '2010-01-01 00:00:01', 'soon']
    const sql = texts.map((text) => `SELECT '${text}' AS v`).join(' UNION ALL ')
    const column = { sql, type: 'TIMESTAMP', type_generic: 2, is_dttm: true } as const
    await withOpenSession(open(), async (session) => {
      const count = (op: string, val: unknown) => countFound(session, dialect, column, { op, val })
      expect(await count('==', '2010-01-01 00:00:00')).toBe(3)
      expect(await count('IN', [Date.UTC(2010, 0, 1)])).toBe(3)
      expect(await count('!=', '2010-01-01')).toBe(2)
      expect(await count('==', 'soon')).toBe(1)
    })
  })

  it('regression: an unknown schema has no tables, and main is found in any case', async () => {
    await withOpenSession(open(), async (session) => {
      expect(await session.describe({ what: 'tables', schema: 'sales' })).toEqual({ what: 'tables', tables: [] })
      await expect(session.describe({ what: 'table', schema: 'sales', table: 't' }).catch(errorCodeOf)).resolves.toBe(
        'table_missing',
      )
      const tables = await session.describe({ what: 'tables', schema: null })
      expect(tables).not.toEqual({ what: 'tables', tables: [] })
      for (const schema of ['', 'main', 'Main'])
        expect(await session.describe({ what: 'tables', schema })).toEqual(tables)
    })
  })

  it('describes keys and views', async () => {
    await withOpenSession(open(), async (session) => {
      expect(await session.describe({ what: 'table', schema: null, table: 't' })).toMatchObject({
        columns: [
          { name: 'id', type: 'INTEGER', generic: 0, nullable: false },
          { name: 'a', nullable: false },
          { name: 'b', type: 'TEXT', generic: 1, nullable: true },
          { name: 'd', type: 'DATE', generic: 2 },
          { name: 'ok', type: 'BOOLEAN', generic: 3 },
          { name: 'x', generic: 1 },
          { name: 'r', type: 'REAL', generic: 0 },
        ],
        keys: expect.arrayContaining([
          { name: null, column_names: ['id'], type: 'pk' },
          expect.objectContaining({ column_names: ['a', 'b'], type: 'fk', referred_table: 'parent' }),
          { name: 't_d', column_names: ['d', 'a'], type: 'index' },
          expect.objectContaining({ column_names: ['b'], type: 'unique' }),
        ]),
      })
      expect(await session.describe({ what: 'table', schema: null, table: 'v' })).toMatchObject({
        view: expect.stringContaining('WHERE a > 1'),
      })
      expect(await session.describe({ what: 'functions' })).toMatchObject({
        names: expect.arrayContaining(['abs', 'strftime', 'json_extract']),
      })
      await expect(session.describe({ what: 'estimate', sql: 'SELECT 1' }).catch(errorCodeOf)).resolves.toBe(
        'unsupported',
      )
    })
  })

  it.each([
    `ATTACH '${path}' AS other`,
    'PRAGMA query_only = 0',
    'PRAGMA writable_schema = 1',
    `VACUUM INTO '${path}.copy'`,
    'DELETE FROM t',
    'CREATE TABLE u (a)',
    'CREATE TEMP TABLE u (a)',
    'BEGIN',
    '/* */ -- x\n ATTACH 1 AS a',
    'WITH a AS (SELECT 1) DELETE FROM t',
  ])('rejects %s', async (sql) => {
    await withOpenSession(open(), async (session) => {
      const answer = await readAll(session, sql).then(() => 'nothing', errorCodeOf)
      expect(['dml_not_allowed', 'syntax_error']).toContain(answer)
      expect(await firstRow(session, 'SELECT COUNT(*) FROM t')).toEqual([2])
    })
  })

  it('cannot load code or read other files', async () => {
    await withOpenSession(open(), async (session) => {
      for (const call of [
        `load_extension('x')`,
        `readfile('/etc/hostname')`,
        `writefile('x', 'y')`,
        `fts3_tokenizer('a')`,
      ])
        await expect(readAll(session, `SELECT ${call}`).catch(errorCodeOf)).resolves.toBe('query_failed')
    })
  })

  it('opens only the file that was checked', async () => {
    const other = join(folder, 'other.db')
    const db = new Database(other)
    db.exec('CREATE TABLE secrets (a)')
    db.close()
    const checked = fileAt(path)
    await expect(open(null).catch(errorCodeOf)).resolves.toBe('connection_missing')
    await expect(open({ ...checked, ino: checked.ino + 1 }).catch(errorCodeOf)).resolves.toBe('connection_database')
    const moved = join(folder, 'moved.db')
    writeFileSync(moved, readFileSync(path))
    const before = fileAt(moved)
    renameSync(moved, `${moved}.old`)
    symlinkSync(other, moved)
    await expect(open(before).catch(errorCodeOf)).resolves.toBe('connection_database')
    writeFileSync(
      join(folder, 'text.db'),
      'no database, but a text that is longer than the head of one would be'.repeat(20),
    )
    await expect(
      withOpenSession(open(fileAt(join(folder, 'text.db'))), (session) => firstRow(session, 'SELECT * FROM t')).catch(
        errorCodeOf,
      ),
    ).resolves.toBe('connection_database')
  })

  it('stops a statement at its time limit without blocking the event loop', async () => {
    await withOpenSession(open(fileAt(path), 500), async (session) => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      try {
        const reading = readAll(session, endless).catch(errorCodeOf)
        const first = await Promise.race([reading, new Promise((resolve) => setImmediate(resolve, 'the loop turns'))])
        expect(first).toBe('the loop turns')
        vi.advanceTimersByTime(500)
        expect(await reading).toBe('query_timeout')
      } finally {
        vi.useRealTimers()
      }
    })
  })

  it('ends with its parent process, also in the middle of a query', async () => {
    const text = `
      const { sqliteDriver } = await import(${JSON.stringify(new URL('./driver.ts', import.meta.url).href)})
      const session = await sqliteDriver.open({ file: ${JSON.stringify(fileAt(path))} }, { timeoutMs: 60000 })
      console.log(process._getActiveHandles().find(({ pid }) => pid).pid)
      for await (const _ of session.run({ text: ${JSON.stringify(endless)}, values: [] }, { rows: 1, bytes: 1e6, cellBytes: 1e6 }));`
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', text])
    const pid = await new Promise<number>((resolve) => parent.stdout.once('data', (line) => resolve(Number(line))))
    // More CPU time than the start needs.
    await expect.poll(() => readCpuSeconds(pid), { timeout: 60_000 }).toBeGreaterThan(0)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(pid), { timeout: 60_000 }).toBe(false)
  }, 120_000)

  it('regression: ends when its parent process had exited before the first check', async () => {
    const strange = fork(new URL('./child.ts', import.meta.url), ['1'])
    expect(await once(strange, 'exit')).toEqual([null, 'SIGKILL'])
  })
})
