import { beforeEach, describe, expect, it } from 'vitest'
import type { Query } from '../state.ts'
import { FakeLargeStorage, editorFixture, FakeLocalStorage } from './persistence.testing.ts'
import { LocalTabs, storageLimits, type StoredTab } from './local-tabs.ts'

const storedTab = (id: string, part: Partial<StoredTab> = {}): StoredTab => ({
  editor: editorFixture(id),
  tables: [],
  queries: [],
  dirty: [],
  version: 'v1',
  before: null,
  base: null,
  at: 1,
  ...part,
})

describe('tabs in the browser', () => {
  let small: FakeLocalStorage
  let big: FakeLargeStorage
  let local: LocalTabs
  beforeEach(() => {
    small = new FakeLocalStorage()
    big = new FakeLargeStorage()
    local = new LocalTabs(small, big, 7)
  })

  it('are restored unchanged, in the order of the tab bar', async () => {
    await local.save(storedTab('b'))
    await local.save(storedTab('a', { dirty: ['sql'] }))
    local.saveIndex({ order: ['a', 'b'], activeId: 'b', closed: [] })
    const { tabs, index } = new LocalTabs(small, big, 7).read(0)
    expect(tabs).toMatchObject([{ editor: { id: 'a', sql: "select 'a'" }, dirty: ['sql'] }, { editor: { id: 'b' } }])
    expect(index.activeId).toBe('b')
  })

  it('belong to one user, and unreadable entries do not affect others', async () => {
    await local.save(storedTab('a'))
    small.setItem('parquetry.sqllab.7.tab.broken', '{')
    small.setItem('parquetry.sqllab.7.tab.odd', '{"editor": null}')
    expect(local.read(0).tabs).toHaveLength(1)
    expect(new LocalTabs(small, big, 8).read(0).tabs).toEqual([])
  })

  it('CONST-034: stores a text above 1024 KB in the larger store and restores it whole', async () => {
    const sql = 'x'.repeat((storageLimits.tabKb * 1024) / 2 + 1)
    expect(await local.save(storedTab('a', { editor: editorFixture('a', { sql }) }))).toBe('spilled')
    expect(local.read(0).tabs[0]).toMatchObject({ spilled: true, editor: { sql: '' } })
    expect(await local.spilledSql('a')).toBe(sql)
    expect(await local.save(storedTab('a'))).toBe('kept')
    expect(await local.spilledSql('a')).toBeNull()
  })

  it('CONST-034: warns from 0.9 of 5120 KB on that storage is nearly full, and moves the rest to the larger store', async () => {
    const sql = 'x'.repeat((storageLimits.tabKb * 1024) / 2 - 2000)
    const results: string[] = []
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f'])
      results.push(await local.save(storedTab(id, { editor: editorFixture(id, { sql }) })))
    expect(results.slice(0, 4)).toEqual(['kept', 'kept', 'kept', 'kept'])
    expect(results).toContain('tight')
    expect(results.at(-1)).toBe('spilled')
  })

  it('falls back to the larger store when the small one is full, and only then fails', async () => {
    small.letters = 2000
    const sql = 'y'.repeat(3000)
    expect(await local.save(storedTab('a', { editor: editorFixture('a', { sql }) }))).toBe('spilled')
    expect(await local.spilledSql('a')).toBe(sql)
    big.isFull = true
    await expect(local.save(storedTab('b', { editor: editorFixture('b', { sql }) }))).rejects.toThrow()
  })

  it('CONST-034: queries older than 24 hours (864e5 ms) are dropped', async () => {
    const query = (id: string, startDttm: number) => ({ id, startDttm }) as Query
    await local.save(storedTab('a', { queries: [query('old', 0), query('new', 2)] }))
    expect(local.read(storageLimits.queriesKeptMs + 1).tabs[0]?.queries.map(({ id }) => id)).toEqual(['new'])
    expect(storageLimits).toMatchObject({
      totalKb: 5120,
      tabKb: 1024,
      warnEveryMs: 8000,
      queriesKeptMs: 864e5,
      warnAbove: 0.9,
    })
  })
})
