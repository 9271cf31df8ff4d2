import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { EmbeddedTable } from '@parquetry/model'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { neverAborted, startTestRunners, type TestRunners } from './testing.ts'

let test: TestRunners
let source: TestRunners['source']
const createEmbeddedTable = (name: string): EmbeddedTable => ({
  name,
  file: `${name}.1.duckdb`,
  version: 1,
  format: 'duckdb',
  table: 'data',
})
const tablePath = (name: string) => join(test.folder, `${name}.1.duckdb`)
beforeAll(async () => {
  test = await startTestRunners()
  const whole = readFileSync(tablePath('words'))
  writeFileSync(tablePath('cut'), whole.subarray(0, whole.length / 2))
  writeFileSync(tablePath('empty'), '')
  const { id: _, ...words } = test.source
  source = { ...words, id: 'damaged', tables: [...words.tables, ...['cut', 'empty', 'gone'].map(createEmbeddedTable)] }
})
afterAll(() => test.close())

const count = (name: string) => test.ask(`SELECT count(*) AS n FROM ${name}`, { source })

it.each(['cut', 'empty', 'gone'])(
  'regression: a table whose file is %s is reported as damaged, without its path',
  async (name) => {
    const failed = await count(name).catch((error: Error) => error)
    expect(failed).toMatchObject({
      code: 'table_damaged',
      message: expect.stringMatching(
        `^The file of table "${name}" is damaged or missing\\. Load its data again`,
      ) as string,
    })
    expect(JSON.stringify(failed)).not.toContain(test.folder)
    const looked = test.runners.describe(source, { what: 'table', schema: null, table: name }, neverAborted)
    await expect(looked).rejects.toMatchObject({ code: 'table_damaged' })
  },
)

it('regression: a file truncated while in use is reported by its table name', async () => {
  copyFileSync(tablePath('words'), tablePath('live'))
  const live = { ...source, id: 'live', tables: [...source.tables, createEmbeddedTable('live')] }
  expect(await test.ask('SELECT count(*) AS n FROM live', { source: live })).toEqual([{ n: 3 }])
  truncateSync(tablePath('live'), 20_000)
  const read = (sql: string) => test.ask(sql, { source: live }).catch((error: Error) => error)
  const sentence = (names: string) => expect.stringMatching(`^The file of .*table.* ${names} is damaged\\.`) as string
  expect(await read('SELECT * FROM live')).toMatchObject({ code: 'table_damaged', message: sentence('"live"') })
  expect(await read('SELECT * FROM words, live')).toMatchObject({ message: sentence('"words", "live"') })
  expect(await read('SELECT count(*) AS n FROM words')).toEqual([{ n: 3 }])
})

it('regression: other tables keep working, and damaged ones are still listed', async () => {
  expect(await count('words')).toEqual([{ n: 3 }])
  const listed = await test.runners.describe(source, { what: 'tables', schema: null }, neverAborted)
  expect(listed.what === 'tables' && listed.tables.map(({ name }) => name)).toEqual([
    'cut',
    'empty',
    'gone',
    'numbers',
    'words',
  ])
})

const findSetAside = (name: string) =>
  readdirSync(test.folder).filter((file) => file.startsWith(`${name}.1.duckdb.damaged-`))
const longAgo = (name: string) => utimesSync(tablePath(name), 0, 0)

describe('a damaged file', () => {
  afterEach(() => {
    for (const file of readdirSync(test.folder)) if (file.includes('.damaged-')) rmSync(join(test.folder, file))
  })

  it.each(['cut', 'empty'])('regression: of table %s is set aside without losing data', async (name) => {
    const before = readFileSync(tablePath(name))
    await expect(count(name)).rejects.toMatchObject({ code: 'table_damaged' })
    expect(findSetAside(name)).toEqual([])
    longAgo(name)
    await expect(count(name)).rejects.toMatchObject({ code: 'table_damaged' })
    expect(existsSync(tablePath(name))).toBe(false)
    const [aside, ...more] = findSetAside(name)
    expect(more).toEqual([])
    expect(readFileSync(join(test.folder, aside!))).toEqual(before)
    expect(await count('words')).toEqual([{ n: 3 }])
    await expect(count(name)).rejects.toMatchObject({ code: 'table_damaged' })
    writeFileSync(tablePath(name), before)
  })
})

it('regression: a file that is only locked is not reported as damaged and stays in place', async () => {
  copyFileSync(tablePath('words'), tablePath('gone'))
  longAgo('gone')
  const holder = await startLockHolder(tablePath('gone'))
  try {
    const failed = await count('gone').catch((error: Error) => error)
    expect(failed).toMatchObject({ code: 'unavailable', message: expect.stringContaining('"gone"') as string })
    expect(JSON.stringify(failed)).not.toContain(test.folder)
    expect(findSetAside('gone')).toEqual([])
  } finally {
    holder.kill()
    await once(holder, 'exit')
  }
  rmSync(tablePath('gone'))
})

/** Starts a process that opens the file for writing and locks it. */
async function startLockHolder(file: string): Promise<ChildProcess> {
  const script = `
    const bind = require('@duckdb/node-bindings')
    bind.open(${JSON.stringify(file)}).then(() => process.stdout.write('open'))
    setInterval(() => {}, 1000)`
  const cwd = fileURLToPath(new URL('../../../../packages/engines', import.meta.url))
  const child = spawn(process.execPath, ['-e', script], { cwd, stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout!, 'data')
  return child
}

it('regression: a restored file is read again', async () => {
  await expect(count('gone')).rejects.toMatchObject({ code: 'table_damaged' })
  copyFileSync(tablePath('words'), tablePath('gone'))
  expect(await count('gone')).toEqual([{ n: 3 }])
  rmSync(tablePath('gone'))
})
