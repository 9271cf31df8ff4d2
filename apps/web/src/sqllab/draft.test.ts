import { beforeAll, expect, it, vi } from 'vitest'

let draft: typeof import('./draft.ts')
beforeAll(async () => {
  vi.stubGlobal('document', { getElementById: () => null })
  draft = await import('./draft.ts')
})

it('SQL-024, SQL-040: a new tab is called Untitled Query 1 and holds SELECT ...', () => {
  expect(draft.newDraft()).toMatchObject({ name: 'Untitled Query 1', sql: 'SELECT ...' })
})

it('SQL-037, SQL-038, SQL-039: the current database, else the default one, else the lowest id', () => {
  const databases = [{ id: 3 }, { id: 2 }, { id: 7 }]
  expect(draft.chooseDatabase(7, 3, databases)).toBe(7)
  expect(draft.chooseDatabase(9, 3, databases)).toBe(3)
  expect(draft.chooseDatabase(null, null, databases)).toBe(2)
  expect(draft.chooseDatabase(null, null, [])).toBeNull()
})

it('comes back as it was kept, and as a new one when what was kept cannot be read', () => {
  const kept = new Map<string, string>()
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  }
  draft.keepDraft({ ...draft.newDraft(), sql: 'select 42' }, storage)
  expect(draft.readDraft(storage).sql).toBe('select 42')
  for (const key of kept.keys()) kept.set(key, '{broken')
  expect(draft.readDraft(storage)).toEqual(draft.newDraft())
})

it('keeps every change at once, and says so when there is no room for it', () => {
  const kept = new Map<string, string>()
  let isFull = false
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      if (isFull) throw new Error('full')
      kept.set(key, value)
    },
  }
  const store = draft.createDraftStore(storage)
  store.getState().change({ sql: 'select 1' })
  expect(draft.readDraft(storage).sql).toBe('select 1')
  isFull = true
  store.getState().change({ sql: 'select 2' })
  expect(store.getState()).toMatchObject({ isKept: false, draft: { sql: 'select 2' } })
})

it('SQL-118: the limits to choose from', () => {
  expect(draft.limits.choices).toEqual([10, 50, 100, 250, 500, 1000, 5000, 10000, 50000])
})
