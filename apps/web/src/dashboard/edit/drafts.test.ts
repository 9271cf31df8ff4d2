import { readLayout } from '@parquetry/model'
import { beforeEach, expect, it, vi } from 'vitest'
import { clearDashboardDraft, storeDashboardDraft, readDashboardDraft, type DashboardDraft } from './drafts.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } satisfies Partial<Storage>)
})

const draft = (from: string): DashboardDraft => ({ layout: readLayout(null), from, at: 1 })

it('DASH-053: drafts are per user: other users on the same browser neither see nor overwrite nor delete them', () => {
  storeDashboardDraft(7, 1, draft('hers'))
  expect(readDashboardDraft(7, 2)).toBeNull()
  storeDashboardDraft(7, 2, draft('his'))
  expect(readDashboardDraft(7, 1)?.from).toBe('hers')
  clearDashboardDraft(7, 2)
  expect(readDashboardDraft(7, 2)).toBeNull()
  expect(readDashboardDraft(7, 1)?.from).toBe('hers')
})
