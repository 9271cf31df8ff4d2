import type { ChartForm } from '@parquetry/charts'
import { useEffect, useRef } from 'react'
import { api } from '../shared/api.ts'

const tabId = (sessionStorage['parquetry.tab'] ??= crypto.randomUUID()) as string
const delayMs = 1000

interface Remembered {
  form: ChartForm
  datasetId: number
  sliceId: number | null
  /** The key in the address; null at first. */
  known: string | null
  /** Puts a new key into the address. */
  onKey(key: string): void
}

/** Keeps the edited form on the server under a key that stands in the address, so that a reload or a copied link brings it back. */
export function useRemembered({ form, datasetId, sliceId, known, onKey }: Remembered, isDirty: boolean): void {
  const kept = useRef<ChartForm>(form)
  useEffect(() => {
    if (!isDirty || kept.current === form) return
    const timer = setTimeout(async () => {
      const body = {
        datasource_id: datasetId,
        datasource_type: 'table',
        ...(sliceId !== null && { chart_id: sliceId }),
        form_data: JSON.stringify(form),
      }
      const query = { tab_id: tabId }
      const call = known
        ? api.put<{ key: string }>(`/api/v1/explore/form_data/${known}`, { body, query })
        : api.post<{ key: string }>('/api/v1/explore/form_data', { body, query })
      try {
        const { key } = await call
        kept.current = form
        if (key !== known) onKey(key)
      } catch {
        // Keeping is a convenience: the form is still in the page, and the next change tries again.
      }
    }, delayMs)
    return () => clearTimeout(timer)
  }, [form, datasetId, sliceId, known, onKey, isDirty])
}
