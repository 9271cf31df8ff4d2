import type { ColumnOf } from '@parquetry/client'
import type { ListQuery, RecentItem } from '@parquetry/model'
import type { IconName } from '@parquetry/ui'
import { userId } from '../shared/rights.ts'
import { type Owner, toOwners } from '../shared/owner.ts'
import type { ResourceRow, RowOf } from '../shared/use-resource.ts'
import { parseThumbnailTarget, type ThumbnailTarget } from '../shared/thumbnail/thumbnail-target.ts'
import { vizIcon } from '../shared/viz.ts'

/** LIST-014, LIST-018 */
export const cardsPerSection = 5
/** LIST-017 */
export const maxEditedItems = 3

export type HomeFilter = 'favorite' | 'mine' | 'recent'

/** A dashboard or chart as shown on a card. */
export interface HomeItem {
  key: string
  kind: 'dashboard' | 'chart'
  id: number | null
  title: string
  href: string
  icon: IconName
  thumbnail: ThumbnailTarget | null
  vizType?: string
  changed: string
  owners: Owner[]
}

/** LIST-015: always the latest change first. */
const latest = {
  order_column: 'changed_on_delta_humanized',
  order_direction: 'desc',
  page: 0,
  page_size: cardsPerSection,
} as const
const ownerFields = ['editors.id', 'editors.label'] as const
const shared = ['id', 'changed_on_delta_humanized', 'changed_on_utc', ...ownerFields] as const

const fields = {
  dashboard: ['dashboard_title', 'url', 'slug', ...shared],
  chart: ['slice_name', 'viz_type', ...shared],
} as const satisfies { [R in 'dashboard' | 'chart']: readonly ColumnOf<ResourceRow<R>>[] }

export type HomeDashboardRow = RowOf<'dashboard', typeof fields.dashboard>
export type HomeChartRow = RowOf<'chart', typeof fields.chart>

/** LIST-016: favorites, the user's own, or the latest of all. */
export const homeItemsQuery = (kind: 'dashboard' | 'chart', which: HomeFilter): ListQuery => ({
  ...latest,
  columns: [...fields[kind]],
  filters:
    which === 'favorite'
      ? [{ col: 'id', opr: `${kind}_is_favorite`, value: true }]
      : which === 'mine'
        ? [{ col: 'owners', opr: 'owned_or_created_by_me', value: true }]
        : [],
})

/** Objects that the user changed last. */
export const editedItemsQuery = (kind: 'dashboard' | 'chart'): ListQuery => ({
  ...latest,
  columns: [...fields[kind]],
  filters: [{ col: 'changed_by', opr: 'rel_o_m', value: userId ?? -1 }],
})

export const dashboardToItem = (row: HomeDashboardRow, untitled: string): HomeItem => ({
  key: `dashboard-${row.id}`,
  kind: 'dashboard',
  id: row.id,
  title: row.dashboard_title || untitled,
  href: row.url,
  icon: 'dashboard',
  thumbnail: { kind: 'dashboard', name: row.id },
  changed: row.changed_on_delta_humanized,
  owners: toOwners(row.editors),
})

export const chartToItem = (row: HomeChartRow, untitled: string): HomeItem => ({
  key: `chart-${row.id}`,
  kind: 'chart',
  id: row.id,
  title: row.slice_name || untitled,
  href: `/explore/?slice_id=${row.id}`,
  icon: vizIcon(row.viz_type),
  thumbnail: { kind: 'chart', id: row.id },
  vizType: row.viz_type,
  changed: row.changed_on_delta_humanized,
  owners: toOwners(row.editors),
})

export const recentToItem = (item: RecentItem): HomeItem => ({
  key: item.item_url,
  kind: item.item_type,
  id: null,
  title: item.item_title,
  href: item.item_url,
  icon: item.item_type,
  thumbnail: parseThumbnailTarget(item.item_url),
  changed: item.time_delta_humanized,
  owners: [],
})

/** The three most recently edited dashboards and charts. */
export function latestEdited<T extends { changed_on_utc: string; thing: HomeItem }>(rows: readonly T[]): HomeItem[] {
  return rows
    .toSorted((a, b) => (a.changed_on_utc < b.changed_on_utc ? 1 : -1))
    .slice(0, maxEditedItems)
    .map(({ thing }) => thing)
}
