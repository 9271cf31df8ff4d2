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
