import { definePage, type Page, type RawSearch } from '../shared/page.ts'

/** Lists read their own state from the address (list-state.ts). */
const list = (page: Omit<Page<RawSearch>, 'frame' | 'search'>): Page<RawSearch> =>
  definePage<RawSearch>({ ...page, frame: 'browse', search: (raw) => raw })

export const dashboards = list({
  name: 'dashboards',
  section: 'dashboards',
  load: async () => (await import('./dashboards/DashboardListPage.tsx')).DashboardListPage,
})

export const charts = list({
  name: 'charts',
  section: 'charts',
  load: async () => (await import('./charts/ChartListPage.tsx')).ChartListPage,
})

export const datasets = list({
  name: 'datasets',
  section: 'datasets',
  load: async () => (await import('./datasets/DatasetListPage.tsx')).DatasetListPage,
})

export const addDataset = list({
  name: 'addDataset',
  section: 'datasets',
  load: async () => (await import('./datasets/DatasetListPage.tsx')).AddDatasetPage,
})

export const databases = list({
  name: 'databases',
  section: 'databases',
  load: async () => (await import('./databases/DatabaseListPage.tsx')).DatabaseListPage,
})

export const savedQueries = list({
  name: 'savedQueries',
  section: 'saved-queries',
  load: async () => (await import('./queries/SavedQueryListPage.tsx')).SavedQueryListPage,
})

export const queryHistory = list({
  name: 'queryHistory',
  section: 'history',
  load: async () => (await import('./queries/QueryHistoryPage.tsx')).QueryHistoryPage,
})

export const annotationLayers = list({
  name: 'annotationLayers',
  section: 'annotation-layers',
  load: async () => (await import('./annotations/LayerListPage.tsx')).LayerListPage,
})

export const annotations = list({
  name: 'annotations',
  section: 'annotation-layers',
  load: async () => (await import('./annotations/AnnotationListPage.tsx')).AnnotationListPage,
})

export const trash = list({
  name: 'trash',
  section: 'trash',
  load: async () => (await import('./trash/TrashPage.tsx')).TrashPage,
})

export const pages = [
  dashboards,
  charts,
  datasets,
  addDataset,
  databases,
  savedQueries,
  queryHistory,
  annotationLayers,
  annotations,
  trash,
]
