import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmbeddedTable, Source } from '@parquetry/model'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { never, startTestRunners, type TestRunners } from './testing.ts'

let test: TestRunners
let source: Source
const tableOf = (name: string): EmbeddedTable => ({
  name,
  file: `${name}.1.duckdb`,
  version: 1,
  format: 'duckdb',
  table: 'data',
})
const fileOf = (name: string) => join(test.folder, `${name}.1.duckdb`)
beforeAll(async () => {
  test = await startTestRunners()
  const whole = readFileSync(fileOf('words'))
  writeFileSync(fileOf('cut'), whole.subarray(0, whole.length / 2))
  writeFileSync(fileOf('empty'), '')
  const { id: _, ...words } = test.source
  source = { ...words, id: 'damaged', tables: [...words.tables, ...['cut', 'empty', 'gone'].map(tableOf)] }
})
afterAll(() => test.close())

const count = (name: string) => test.ask(`SELECT count(*) AS n FROM ${name}`, { source })

it.each(['cut', 'empty', 'gone'])(
  'regression: a table whose file is %s is named as damaged, without its path',
  async (name) => {
    const failed = await count(name).catch((error: Error) => error)
    expect(failed).toMatchObject({
      code: 'table_damaged',
      message: expect.stringMatching(
        `^The file of table "${name}" is damaged or missing\\. Load the table again`,
      ) as string,
    })
    expect(JSON.stringify(failed)).not.toContain(test.folder)
    const looked = test.runners.describe(source, { what: 'table', schema: null, table: name }, never)
    await expect(looked).rejects.toMatchObject({ code: 'table_damaged' })
  },
)

it('regression: the other tables go on, and damaged ones are still listed', async () => {
  expect(await count('words')).toEqual([{ n: 3 }])
  const listed = await test.runners.describe(source, { what: 'tables', schema: null }, never)
  expect(listed.what === 'tables' && listed.tables.map(({ name }) => name)).toEqual([
    'cut',
    'empty',
    'gone',
    'numbers',
    'words',
  ])
})

it('regression: a file that is brought back is read again', async () => {
  await expect(count('gone')).rejects.toMatchObject({ code: 'table_damaged' })
  copyFileSync(fileOf('words'), fileOf('gone'))
  expect(await count('gone')).toEqual([{ n: 3 }])
  rmSync(fileOf('gone'))
})
