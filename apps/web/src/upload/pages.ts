import { definePage } from '../shared/page.ts'

/** The addresses of older upload forms. */
export const upload = definePage({
  path: '/csvtodatabaseview/form',
  aliases: ['/exceltodatabaseview/form', '/columnartodatabaseview/form'],
  frame: 'browse',
  section: 'datasets',
  load: async () => (await import('./UploadPage.tsx')).UploadPage,
})

export interface SuggestionsSearch {
  dataset_id: number | null
}

export const suggestions = definePage<SuggestionsSearch>({
  path: '/chart/suggestions/',
  frame: 'browse',
  section: 'charts',
  search: ({ dataset_id }) => ({ dataset_id: dataset_id && /^\d+$/.test(dataset_id) ? Number(dataset_id) : null }),
  load: async () => (await import('./SuggestionsPage.tsx')).SuggestionsPage,
})

export const pages = [upload, suggestions]
