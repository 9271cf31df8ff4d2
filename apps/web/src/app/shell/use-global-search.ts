import { useTranslate, type IconName } from '@parquetry/ui'
import { useQueries, useQuery } from '@tanstack/react-query'
import { can } from '../../shared/rights.ts'
import { mayReadRecents, recentItemsOptions } from '../../shared/recents.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import { rowsOptions, type ListResult, type ResourceRow, type Resource } from '../../shared/use-resource.ts'

export interface SearchHit {
  id: string
  label: string
  note: string
  icon: IconName
  href: string
}

interface Row {
  id: number
  changed_on_delta_humanized?: string
  [column: string]: unknown
}

interface Source<R extends Resource = Resource> {
  resource: R
  view: string
  name: keyof ResourceRow<R> & string
  filter: { col: string; opr: string }
  icon: IconName
  hrefOf(row: Row): string
}

const defineSource = <R extends Resource>(source: Source<R>): Source<R> => source

const sources = [
  defineSource({
    resource: 'dashboard',
    view: 'Dashboard',
    name: 'dashboard_title',
    filter: { col: 'dashboard_title', opr: 'title_or_slug' },
    icon: 'dashboard',
    hrefOf: ({ id, url }) => (typeof url === 'string' ? url : `/superset/dashboard/${id}/`),
  }),
  defineSource({
    resource: 'chart',
    view: 'Chart',
    name: 'slice_name',
    filter: { col: 'slice_name', opr: 'chart_all_text' },
    icon: 'chart',
    hrefOf: ({ id }) => `/explore/?slice_id=${id}`,
  }),
  defineSource({
    resource: 'dataset',
    view: 'Dataset',
    name: 'table_name',
    filter: { col: 'table_name', opr: 'ct' },
    icon: 'dataset',
    hrefOf: ({ id }) => `/explore/?datasource_id=${id}&datasource_type=table`,
  }),
  defineSource({
    resource: 'saved_query',
    view: 'SavedQuery',
    name: 'label',
    filter: { col: 'label', opr: 'all_text' },
    icon: 'query',
    hrefOf: ({ id }) => `/superset/sqllab/?savedQueryId=${id}`,
  }),
]

const maxPerKind = 4
const searchDelayMs = 60

/** Objects whose names match the text, or the recently opened ones without text. Null searches nothing. */
export function useGlobalSearch(text: string | null): { items: SearchHit[]; busy: boolean } {
  const t = useTranslate()
  const wanted = useDebounced((text ?? '').trim(), searchDelayMs)
  const kinds: Record<string, string> = {
    dashboard: t('app.kind.dashboard', 'dashboard'),
    chart: t('app.kind.chart', 'chart'),
    dataset: t('app.kind.dataset', 'dataset'),
    saved_query: t('app.kind.savedQuery', 'saved query'),
  }
  const recents = useQuery({ ...recentItemsOptions(8), enabled: mayReadRecents && text !== null && wanted === '' })
  const answers = useQueries({
    queries: sources.map(({ resource, view, name, filter }) => ({
      ...rowsOptions<Row>(resource, {
        columns: ['id', name, 'changed_on_delta_humanized', ...(resource === 'dashboard' ? ['url', 'slug'] : [])],
        filters: [{ ...filter, value: wanted }],
        order_column: 'changed_on_delta_humanized',
        order_direction: 'desc' as const,
        page: 0,
        page_size: maxPerKind,
      }),
      enabled: text !== null && wanted !== '' && can('can_read', view),
      placeholderData: (before: ListResult<Row> | undefined) => before,
    })),
  })
  if (text === null) return { items: [], busy: false }
  if (wanted === '') {
    const items = (recents.data ?? []).map((item) => ({
      id: item.item_url,
      label: item.item_title,
      icon: item.item_type,
      href: item.item_url,
      note: [kinds[item.item_type], item.time_delta_humanized].join(' · '),
    }))
    return { items, busy: recents.isFetching && items.length === 0 }
  }
  const items = sources.flatMap(({ resource, name, icon, hrefOf }, index) =>
    (answers[index]?.data?.result ?? []).map((row) => ({
      id: `${resource}-${row.id}`,
      label: String(row[name] ?? ''),
      icon,
      href: hrefOf(row),
      note: [kinds[resource], row.changed_on_delta_humanized].filter(Boolean).join(' · '),
    })),
  )
  return { items, busy: answers.some(({ isFetching }) => isFetching) }
}
