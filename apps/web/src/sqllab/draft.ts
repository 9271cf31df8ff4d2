import { createStore } from 'zustand'
import { boot } from '../shared/boot.ts'

/** What the editor holds; kept in the browser with every change, so that no crash or closed window loses it. */
export interface Draft {
  name: string
  dbId: number | null
  schema: string | null
  sql: string
  queryLimit: number
}

/** SQL-024, SQL-040. */
export const newDraft = (): Draft => ({
  name: 'Untitled Query 1',
  dbId: null,
  schema: null,
  sql: 'SELECT ...',
  queryLimit: limits.usual,
})

export const limits = {
  /** SQL-118. */
  choices: [10, 50, 100, 250, 500, 1000, 5000, 10_000, 50_000],
  usual: 1000,
}

const storageKey = `parquetry.sqllab.${boot.user.userId ?? 0}`

/** The kept draft; a new one when there is none or it cannot be read. */
export function readDraft(storage: Pick<Storage, 'getItem'> = localStorage): Draft {
  try {
    const kept = JSON.parse(storage.getItem(storageKey) ?? 'null') as Partial<Draft> | null
    return { ...newDraft(), ...kept }
  } catch {
    return newDraft()
  }
}

/** @returns false when the browser has no room or no storage; the text then lives in the page only */
export function keepDraft(draft: Draft, storage: Pick<Storage, 'setItem'> = localStorage): boolean {
  try {
    storage.setItem(storageKey, JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export interface DraftState {
  draft: Draft
  isKept: boolean
  change(part: Partial<Draft>): void
}

/** The open draft. Every change is kept in the browser before anything else happens. */
export const createDraftStore = (storage: Pick<Storage, 'getItem' | 'setItem'> = localStorage) =>
  createStore<DraftState>((set, get) => ({
    draft: readDraft(storage),
    isKept: true,
    change: (part) => {
      const draft = { ...get().draft, ...part }
      set({ draft, isKept: keepDraft(draft, storage) })
    },
  }))

/** Untouched text of a new tab, which cannot be run. */
export const isUntouched = ({ sql }: Draft): boolean => sql.trim() === '' || sql.trim() === newDraft().sql

interface Choosable {
  id: number
}
/** SQL-037 to SQL-039: the current database, else the default one, else the one with the lowest id. */
export const chooseDatabase = (
  current: number | null,
  usual: number | null,
  databases: readonly Choosable[],
): number | null => {
  const there = (id: number | null) => (databases.some((database) => database.id === id) ? id : null)
  return (
    there(current) ??
    there(usual) ??
    databases.reduce<number | null>((least, { id }) => (least === null || id < least ? id : least), null)
  )
}
