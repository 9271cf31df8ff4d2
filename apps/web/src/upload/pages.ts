import { definePage } from '../shared/page.ts'

/** Page at the addresses of the legacy upload forms. */
export const upload = definePage({
  name: 'upload',
  frame: 'browse',
  section: 'datasets',
  load: async () => (await import('./UploadPage.tsx')).UploadPage,
})

export interface SuggestionsSearch {
  dataset_id: number | null
  /** Dashboard to add the chart to. */
  dashboard_id: number | null
}

const integer = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

export const suggestions = definePage<SuggestionsSearch>({
  name: 'suggestions',
  frame: 'browse',
  section: 'charts',
  search: ({ dataset_id, dashboard_id }) => ({ dataset_id: integer(dataset_id), dashboard_id: integer(dashboard_id) }),
  load: async () => (await import('./SuggestionsPage.tsx')).SuggestionsPage,
})

export const pages = [upload, suggestions]
