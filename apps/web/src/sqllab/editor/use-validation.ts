import { ApiError } from '@parquetry/client'
import { useEffect, useRef } from 'react'
import type { StoreApi } from 'zustand'
import { api } from '../../shared/api.ts'
import type { QueryEditor, SqlLabState, ValidationError } from '../state.ts'
import { changeTab, isUntouchedSql } from '../tabs.ts'

/** Delay after the last keystroke. */
const debounceMs = 600
/** A longer text is not sent with every pause. */
const maxLength = 200_000

/** Databases without an SQL validator. */
const unchecked = new Set<number>()

/** SQL-052, SQL-076, SQL-077: validates the text with the database, 600 ms after the last keystroke; the tab holds the result. */
export function useValidation(store: StoreApi<SqlLabState>, tab: QueryEditor): void {
  const { id, dbId, schema, catalog, sql, templateParams } = tab
  const count = useRef(0)
  useEffect(() => {
    if (dbId === null || unchecked.has(dbId)) return
    const abort = new AbortController()
    const set = (errors: readonly ValidationError[], completed: boolean, own: string): void =>
      store.setState((state) => changeTab(state, id, { validationResult: { id: own, errors, completed } }))
    const timer = setTimeout(() => {
      const own = `${id}.${++count.current}`
      if (isUntouchedSql(sql) || sql.length > maxLength) return set([], true, own)
      set(store.getState().queryEditors.find((editor) => editor.id === id)?.validationResult.errors ?? [], false, own)
      api
        .post('/api/v1/database/:id/validate_sql/', {
          params: { id: dbId },
          body: { sql, schema, catalog, template_params: parseTemplateParams(templateParams) },
          signal: abort.signal,
        })
        .then(
          ({ result }) => set(result, true, own),
          (error: unknown) => {
            if (abort.signal.aborted) return
            if (error instanceof ApiError && [403, 404, 422].includes(error.status)) unchecked.add(dbId)
            // A failed check proves nothing about the text; running it reveals errors.
            set([], true, own)
          },
        )
    }, debounceMs)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [store, id, dbId, schema, catalog, sql, templateParams])
}

/** Parses template parameters; empty for anything but a JSON object. */
export function parseTemplateParams(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
  } catch {
    return {}
  }
}

export function isValidTemplateParams(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text || '{}')
    return typeof value === 'object' && value !== null && !Array.isArray(value)
  } catch {
    return false
  }
}
