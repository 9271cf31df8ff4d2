import type { ChartForm } from '@parquetry/charts'
import { useEffect, useEffectEvent, useRef } from 'react'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { getTabId } from '../shared/tab-id.ts'
import { datasourceKey, type ExploreDataset } from './use-explore.ts'

const delayMs = 1000

interface FormDataEntry {
  form: ChartForm
  dataset: Pick<ExploreDataset, 'id' | 'type'>
  sliceId: number | null
  /** Key in the address; null at first. */
  known: string | null
}

/** Stores a form on the server and returns its key. @throws ApiError */
export async function saveFormData({ form, dataset, sliceId, known }: FormDataEntry): Promise<string> {
  // SHARE-002: URL parameters are not part of the chart.
  const { url_params: _, ...storedForm } = form
  const body = {
    datasource_id: dataset.id,
    datasource_type: dataset.type,
    ...(sliceId !== null && { chart_id: sliceId }),
    form_data: JSON.stringify(storedForm),
  }
  const query = { tab_id: getTabId() }
  const { key } = known
    ? await api.put('/api/v1/explore/form_data/:key', { params: { key: known }, body, query })
    : await api.post('/api/v1/explore/form_data', { body, query })
  return key
}

interface PersistedFormOptions extends FormDataEntry {
  /** Sets the key in the address; null removes it. */
  onKey(key: string | null): void
}

/**
 * Stores the edited form on the server under a key in the address, so that a reload or a copied link restores it. Edits of the
 * last second stay in session storage, for a reload before they are sent.
 */
export function usePersistedForm(
  { form, dataset, sliceId, known, onKey }: PersistedFormOptions,
  isDirty: boolean,
): void {
  const persistedForm = useRef<ChartForm>(form)
  useEffect(() => {
    if (!isDirty) {
      takeStashedForm(sliceId, dataset)
      persistedForm.current = form
      // A saved chart needs no key; an unsaved one cannot be reached without it.
      if (known !== null && sliceId !== null) onKey(null)
      return
    }
    if (persistedForm.current === form) return
    stashForm(sliceId, dataset, form)
    const persist = async (): Promise<void> => {
      try {
        const key = await saveFormData({ form, dataset, sliceId, known })
        persistedForm.current = form
        if (key !== known) onKey(key)
        takeStashedForm(sliceId, dataset)
      } catch {
        // Best effort: the form is still in the page and in session storage, and the next change tries again.
      }
    }
    const timer = setTimeout(() => void persist(), delayMs)
    return () => clearTimeout(timer)
  }, [form, dataset, sliceId, known, onKey, isDirty])

  const forget = useEffectEvent(() => takeStashedForm(sliceId, dataset))
  useEffect(() => () => void forget(), [])
}

type Source = Pick<ExploreDataset, 'id' | 'type'>

const stashKey = (sliceId: number | null, dataset: Source): string =>
  `parquetry.explore.aside.${boot.user.userId ?? ''}.${sliceId ?? `dataset.${datasourceKey(dataset)}`}`

const stashForm = (sliceId: number | null, dataset: Source, form: ChartForm): void =>
  sessionStorage.setItem(stashKey(sliceId, dataset), JSON.stringify(form))

/** True after a reload or after signing in again, when the form in session storage applies. */
export const isReloadOrSignIn = (): boolean =>
  URL.parse(document.referrer)?.pathname === '/login/' ||
  performance.getEntriesByType('navigation').some((entry) => (entry as PerformanceNavigationTiming).type === 'reload')

/** Returns and removes the form that this tab stored for a chart, or for a dataset without a chart. */
export function takeStashedForm(sliceId: number | null, dataset: Source): ChartForm | null {
  const key = stashKey(sliceId, dataset)
  const text = sessionStorage.getItem(key)
  sessionStorage.removeItem(key)
  return text === null ? null : (JSON.parse(text) as ChartForm)
}
