import { ApiError } from '@parquetry/client'
import { toastError, useTranslate } from '@parquetry/ui'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef } from 'react'
import type { StoreApi } from 'zustand'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { defaultSchema } from '../../shared/default-schema.ts'
import { useSchemas, useTables } from '../browser/use-schema.ts'
import type { Query, QueryEditor, SqlLabState } from '../state.ts'
import { changeTab } from '../tabs.ts'
import type { CompletionData, CompletionTable } from './completion.ts'
import type { Dialect } from './dialects.ts'

const maxRecentQueries = 20

/** Names for completion in a tab. Names of another schema are fetched on first use. */
export function useCompletionData(
  store: StoreApi<SqlLabState>,
  tab: QueryEditor,
  dialect: Dialect,
  queries: readonly Query[],
): { known: () => Omit<CompletionData, 'statement'>; names: unknown } {
  const t = useTranslate()
  const client = useQueryClient()
  const { dbId } = tab
  const schemas = useSchemas(dbId, tab.catalog)
  const schema = tab.schema && schemas.data?.includes(tab.schema) ? tab.schema : defaultSchema(schemas.data)
  const tables = useTables(dbId, schema)

  const functions = useQuery({
    queryKey: ['database', dbId, 'functions'],
    queryFn: async ({ signal }) =>
      api.get('/api/v1/database/:id/function_names/', { params: { id: dbId ?? -1 }, signal }).then(
        ({ function_names }) => function_names,
        (error: unknown) => {
          // API-010
          if (error instanceof ApiError && error.status === 404) return []
          throw error
        },
      ),
    enabled: dbId !== null,
    staleTime: Infinity,
    retry: false,
  })
  useEffect(() => {
    if (functions.data) store.setState((state) => changeTab(state, tab.id, { functionNames: functions.data }))
  }, [functions.data, store, tab.id])
  useEffect(() => {
    if (functions.error)
      toastError(
        `${t('sqllab.functions.failed', 'An error occurred while fetching function names')}: ${messageOf(functions.error)}`,
      )
  }, [functions.error, t])

  const past = useMemo(
    () =>
      [...new Set(queries.filter(({ isDataPreview }) => !isDataPreview).map(({ sql }) => sql))].slice(
        0,
        maxRecentQueries,
      ),
    [queries],
  )
  const tablesOf = useCallback(
    (name: string): readonly CompletionTable[] | undefined => {
      const queryKey = ['sqllab', 'names', dbId, tab.catalog, name]
      const there = client.getQueryData<CompletionTable[]>(queryKey)
      if (there || dbId === null) return there
      void client.prefetchQuery({
        queryKey,
        staleTime: 300_000,
        queryFn: async ({ signal }) => {
          const { result } = await api.get('/api/v1/database/:id/tables/', {
            params: { id: dbId },
            q: { force: false, schema_name: name, ...(tab.catalog !== null && { catalog_name: tab.catalog }) },
            signal,
            quiet: true,
          })
          return result.map(({ value }): CompletionTable => ({ name: value, columns: undefined }))
        },
      })
      return undefined
    },
    [client, dbId, tab.catalog],
  )
  const known: Omit<CompletionData, 'statement'> = {
    dialect,
    schemas: schemas.data ?? [],
    tables: tables.known,
    isComplete: schemas.isSuccess && tables.tables.isSuccess && functions.isFetched,
    tablesOf: (name) => (name === schema ? tables.known : tablesOf(name)),
    want: tables.want,
    functions: functions.data ?? [],
    past,
  }
  const latest = useRef(known)
  useEffect(() => {
    latest.current = known
  })
  return { known: useCallback(() => latest.current, []), names: tables.known }
}
