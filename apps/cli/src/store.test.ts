import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { migrate, readSchemaVersion } from '@parquetry/server/store/migrate'
import { migrations } from '@parquetry/server/store/migrations/index'
import { openSqlite } from '@parquetry/server/store/open'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { admin, Program, signIn } from './testing.ts'

let program: Program
beforeEach(() => {
  program = new Program()
})
afterEach(() => program.dispose())

const storePath = () => join(program.home, 'parquetry.sqlite')

describe('the metadata store of a home', { timeout: 120_000 }, () => {
  it('makes the server exit with 5 when it is damaged', async () => {
    writeFileSync(storePath(), Buffer.alloc(8192, 7))
    expect(await program.runToEnd(['start', '--port', '0'])).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringMatching(/^The metadata store .*damaged.*\n$/) as string,
    })
  })

  it('regression: is not the file of another program, which is not changed', async () => {
    const other = new DatabaseSync(storePath())
    other.exec('create table notes (text text)')
    other.close()
    const before = readFileSync(storePath())
    expect(await program.runToEnd(['start', '--port', '0'])).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringMatching(/^The file .* is a database of another program and was not changed\./) as string,
    })
    expect(readFileSync(storePath()).equals(before)).toBe(true)
  })

  it('makes the server exit with 5 when it was written by a newer version', async () => {
    const store = await openSqlite(storePath())
    await migrate(store, async () => {})
    await store.db
      .insertInto('schema_version' as never)
      .values({ n: 99, name: 'later', at: '' } as never)
      .execute()
    await store.close()
    expect(await program.runToEnd(['start', '--port', '0'])).toMatchObject({
      code: 5,
      out: '',
      err: expect.stringMatching(
        /^The metadata store has version 99, but this program supports version \d+ at most\. .*\n$/,
      ) as string,
    })
  })

  it('is backed up before a migration, and the backup can be opened', async () => {
    const older = await openSqlite(storePath())
    await migrate(older, async () => {}, migrations.slice(0, 1))
    await older.close()
    const server = await program.startServer(admin)
    expect((await signIn(server.url)).status).toBe(200)
    const [name = '', ...others] = readdirSync(join(program.home, 'backups'))
    expect([name, others]).toEqual([expect.stringMatching(/^before-migration-2-\d{8}T\d{6}\.sqlite$/), []])
    const copy = await openSqlite(join(program.home, 'backups', name))
    expect(await readSchemaVersion(copy)).toBe(1)
    await copy.close()
  })
})
