import { readLayout } from '@parquetry/model'
import { beforeEach, expect, it, vi } from 'vitest'
import { dropDraft, keepDraft, readDraft, type Draft } from './drafts.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } satisfies Partial<Storage>)
})

const draft = (from: string): Draft => ({ layout: readLayout(null), from, at: 1 })

it('DASH-053: a draft is of whoever made it: what others keep, drop or save on the same browser leaves it', () => {
  keepDraft(7, 1, draft('hers'))
  expect(readDraft(7, 2)).toBeNull()
  keepDraft(7, 2, draft('his'))
  expect(readDraft(7, 1)?.from).toBe('hers')
  dropDraft(7, 2)
  expect(readDraft(7, 2)).toBeNull()
  expect(readDraft(7, 1)?.from).toBe('hers')
})
