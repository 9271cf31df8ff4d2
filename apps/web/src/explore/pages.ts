import { definePage, isParamOn, isStandalone } from '../shared/page.ts'

export interface ExploreSearch {
  slice_id: number | null
  datasource_id: number | null
  datasource_type: string
  form_data_key: string | null
  viz_type: string | null
  dashboard_id: number | null
  /** Query the database even if the result is cached (EXP-014). */
  force: boolean
  /** 1 and 2: only the chart, for embedding in another page (EXP-013). */
  standalone: boolean
}

const integer = (text: string | undefined): number | null => (text && /^\d+$/.test(text) ? Number(text) : null)

export const explore = definePage<ExploreSearch>({
  name: 'explore',
  frame: 'work',
  section: 'charts',
  search: (raw) => ({
    slice_id: integer(raw['slice_id']),
    datasource_id: integer(raw['datasource_id'] ?? raw['dataset_id']),
    datasource_type: raw['datasource_type'] ?? 'table',
    form_data_key: raw['form_data_key'] ?? null,
    viz_type: raw['viz_type'] ?? null,
    dashboard_id: integer(raw['dashboard_id']),
    force: isParamOn(raw['force']),
    standalone: isStandalone(raw),
  }),
  load: async () => (await import('./ExplorePage.tsx')).ExplorePage,
})

export const pages = [explore]
