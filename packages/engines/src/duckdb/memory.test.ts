import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readAll } from '@parquetry/testing/sessions'
import { afterAll, expect, it } from 'vitest'
import { duckdbDriver } from './driver.ts'

const folder = mkdtempSync(join(tmpdir(), 'parquetry-memory-'))
const limits = { memoryLimitMb: 200, threads: 2, spillFolder: join(folder, 'spill') }
afterAll(() => rmSync(folder, { recursive: true }))

it('regression: a query releases its memory, so that the same file can be read indefinitely', async () => {
  writeFileSync(join(folder, 'cars.csv'), 'id,name\n1,a\n2,b\n')
  const table = { name: 'cars', file: 'cars.csv', version: 1, format: 'csv', table: 'cars' } as const
  const instance = await duckdbDriver.open(folder, [table], limits)
  for (let i = 0; i < 40; i++) {
    const session = await instance.session()
    await session.describe({ what: 'table', schema: null, table: 'cars' })
    expect((await readAll(session, 'SELECT * FROM cars')).frame.rows).toBe(2)
    await session.close()
  }
  instance.close()
})
