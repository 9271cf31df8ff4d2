import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defaultLimits } from '@parquetry/model/plan'
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

it('gives each session a connection of its own, also when it was opened before the session', async () => {
  const instance = await duckdbDriver.open(folder, [], limits)
  for (let i = 0; i < 3; i++) {
    const session = await instance.session()
    const other = await instance.session()
    await session.createTempTable!(
      { name: 'own', statement: { name: 'own', text: `SELECT ${i} AS i`, values: [] }, types: {} },
      defaultLimits,
    )
    await expect(readAll(other, 'SELECT * FROM own')).rejects.toThrow('own')
    await session.close()
    await other.close()
  }
  instance.close()
})
