import { definePage } from '../shared/page.ts'

export interface DatasetSearch {
  tab: string | undefined
}

export const dataset = definePage<DatasetSearch>({
  name: 'dataset',
  frame: 'work',
  section: 'datasets',
  search: ({ tab }) => ({ tab }),
  load: async () => (await import('./DatasetPage.tsx')).DatasetPage,
})

export const pages = [dataset]
