import { definePage, type RawSearch } from '../shared/page.ts'

export interface DashboardSearch {
  edit: boolean
  /** Number of the version to preview; undefined for the dashboard itself. */
  version: number | undefined
  standalone: 0 | 1 | 2 | 3
  /** Data mask in Rison, as filter links contain it. */
  nativeFilters: string | undefined
  nativeFiltersKey: string | undefined
  /** Initial state of the filter bar; if undefined, the width of the window decides. */
  expandFilters: boolean | undefined
  focusedChart: number | undefined
  /** Initial filter set. */
  filterSet: number | undefined
  /** JSON of chart id -> column -> values: initial values of filter boxes in legacy links. */
  preselectFilters: string | undefined
  permalinkKey: string | undefined
}

const modes = { '1': 1, '2': 2, '3': 3, true: 1 } as const

export const readDashboardSearch = (raw: RawSearch): DashboardSearch => ({
  edit: raw.edit === 'true',
  version: /^\d{1,9}$/.test(raw.version ?? '') ? Number(raw.version) : undefined,
  standalone: modes[raw.standalone as keyof typeof modes] ?? 0,
  nativeFilters: raw.native_filters,
  nativeFiltersKey: raw.native_filters_key,
  expandFilters: raw.expand_filters === undefined ? undefined : !['0', 'false'].includes(raw.expand_filters),
  focusedChart: /^\d+$/.test(raw.focused_chart ?? '') ? Number(raw.focused_chart) : undefined,
  filterSet: /^\d+$/.test(raw.filter_set ?? '') ? Number(raw.filter_set) : undefined,
  preselectFilters: raw.preselect_filters,
  permalinkKey: raw.permalink_key,
})

export const dashboard = definePage<DashboardSearch>({
  name: 'dashboard',
  frame: 'work',
  section: 'dashboards',
  search: readDashboardSearch,
  load: async () => (await import('./view/DashboardPage.tsx')).DashboardPage,
  prefetch: async ({ name = '' }, search, hash) =>
    (await import('./view/DashboardPage.tsx')).prefetchDashboard(name, search, hash),
})

export const permalink = definePage({
  name: 'dashboardPermalink',
  frame: 'work',
  section: 'dashboards',
  load: async () => (await import('./view/PermalinkPage.tsx')).PermalinkPage,
})

export const newDashboard = definePage({
  name: 'newDashboard',
  frame: 'work',
  section: 'dashboards',
  load: async () => (await import('./view/NewDashboardPage.tsx')).NewDashboardPage,
})

export const pages = [dashboard, permalink, newDashboard]
