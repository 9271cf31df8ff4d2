import { toast, toastError, useText } from '@parquetry/ui'
import { useCallback, useEffect } from 'react'
import type { StoreApi } from 'zustand'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { isUntouched, type Draft, type DraftState } from './draft.ts'
import { sqlLab } from './pages.ts'

/** Opens what the address carries, a text or a saved query, and takes it out of the address. */
export function useLinks(store: StoreApi<DraftState>): void {
  const { search, setSearch } = usePage(sqlLab)
  const open = useOpen(store)
  useEffect(() => {
    if (search.sql === null && search.dbid === null) return
    open({
      ...(search.sql !== null && { sql: search.sql }),
      ...(search.dbid !== null && { dbId: search.dbid }),
      ...(search.schema !== null && { schema: search.schema }),
    })
    setSearch({ sql: null, dbid: null, schema: null }, { replace: true })
  }, [search, open, setSearch])
  useSavedQuery(search.savedQueryId, open)
}

/** Takes over what a link brings. What stood in the editor comes back on request. */
function useOpen(store: StoreApi<DraftState>): (part: Partial<Draft>) => void {
  const t = useText()
  return useCallback(
    (part) => {
      const { draft: before, change } = store.getState()
      change(part)
      if (isUntouched(before) || before.sql === store.getState().draft.sql) return
      toast(t('sqllab.replaced', '{name} was replaced by what the link holds', { name: before.name }), {
        kind: 'info',
        action: { label: t('sqllab.bringBack', 'Bring it back'), run: () => change(before) },
      })
    },
    [store, t],
  )
}

interface SavedQueryAnswer {
  result: { label: string; sql: string; schema: string | null; database: { id: number } }
}

/** SQL-015, SQL-017: a link to a saved query opens it under its label. */
function useSavedQuery(id: number | null, open: (part: Partial<Draft>) => void): void {
  const t = useText()
  const { setSearch } = usePage(sqlLab)
  useEffect(() => {
    if (id === null) return
    const abort = new AbortController()
    api.get<SavedQueryAnswer>(`/api/v1/saved_query/${id}`, { signal: abort.signal }).then(
      ({ result }) => {
        open({ name: result.label, sql: result.sql, schema: result.schema, dbId: result.database.id })
        setSearch({ savedQueryId: null }, { replace: true })
      },
      (error: unknown) => {
        if (!abort.signal.aborted)
          toastError(`${t('sqllab.notLoaded', "Query couldn't be loaded")}: ${messageOf(error)}`)
      },
    )
    return () => abort.abort()
  }, [id, open, setSearch, t])
}
