import { expect, it } from 'vitest'
import { migrate } from './migrate.ts'
import { readCached } from './read-cache.ts'
import { openSqlite } from './open.ts'

it('reads once per reader until something is written, and caches no failures', async () => {
  const store = await openSqlite(':memory:')
  await migrate(store, async () => undefined)
  const { db } = store
  let readCount = 0
  const readRoleNames = async (): Promise<string[]> => {
    readCount += 1
    return (await db.selectFrom('role').select('name').execute()).map(({ name }) => name)
  }
  const [ann, ben] = [{}, {}]
  expect(await readCached(db, ann, 'roles', readRoleNames)).toEqual([])
  expect(await readCached(db, ann, 'roles', readRoleNames)).toEqual([])
  expect(readCount).toBe(1)
  await readCached(db, ben, 'roles', readRoleNames)
  expect(readCount).toBe(2)

  await db
    .insertInto('role')
    .values({
      name: 'Reader',
      uuid: '1',
      created_on: '',
      changed_on: '',
      created_by_fk: null,
      changed_by_fk: null,
    })
    .execute()
  expect(await readCached(db, ann, 'roles', readRoleNames)).toEqual(['Reader'])

  const fails = () => readCached(db, ann, 'broken', () => Promise.reject(new Error('no')))
  await expect(fails()).rejects.toThrow('no')
  expect(await readCached(db, ann, 'broken', () => Promise.resolve(1))).toBe(1)
  await store.close()
})
