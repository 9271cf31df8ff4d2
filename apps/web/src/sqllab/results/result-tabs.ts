import type { Query, TableSchema } from '../state.ts'

export interface ResultTab {
  /** Key in the tab bar: `r:` a run, `p:` a preview, `history`. */
  value: string
  query: Query | null
  /** Number among the statements of its batch; null when it ran alone. */
  number: number | null
  table: TableSchema | null
}

/**
 * Result tabs, left to right: one for each statement of the last run, an earlier run selected in the history, the history, and
 * open previews.
 * @param queries  queries of the tab, newest first, including previews
 */
export function resultTabs(
  queries: readonly Query[],
  tables: readonly TableSchema[],
  chosen: SelectedTab | null = null,
): ResultTab[] {
  const run = lastRun(queries.filter(({ isDataPreview }) => !isDataPreview))
  const earlier = queries.find(({ id }) => chosen?.value === `r:${id}` && !run.some((query) => query.id === id))
  const previews = tables.flatMap((table): ResultTab[] => {
    const query = queries.find(({ id }) => id === table.dataPreviewQueryId)
    return query ? [{ value: `p:${table.id}`, query, number: null, table }] : []
  })
  const results: ResultTab[] =
    run.length === 0
      ? [{ value: 'r:', query: null, number: null, table: null }]
      : run.map((query, index) => ({
          value: `r:${query.id}`,
          query,
          number: run.length > 1 ? index + 1 : null,
          table: null,
        }))
  return [
    ...results,
    ...(earlier ? [{ value: `r:${earlier.id}`, query: earlier, number: null, table: null }] : []),
    { value: 'history', query: null, number: null, table: null },
    ...previews,
  ]
}

/** The newest query, with the others of its batch, oldest first. */
function lastRun([newest, ...older]: readonly Query[]): Query[] {
  if (!newest) return []
  const others = newest.batch === undefined ? [] : older.filter(({ batch }) => batch === newest.batch)
  return [newest, ...others].toReversed()
}

/** The user's selection applies until a new run; then its result is shown, and the focus stays where it is. */
export interface SelectedTab {
  value: string
  /** The newest query at the time of the selection. */
  newest: string | null
}

export function resolveActiveTab(
  tabs: readonly ResultTab[],
  chosen: SelectedTab | null,
  newest: Query | undefined,
): string {
  if (chosen && chosen.newest === (newest?.id ?? null) && tabs.some(({ value }) => value === chosen.value))
    return chosen.value
  return (tabs.find(({ query }) => query && query.id === newest?.id) ?? tabs[0])?.value ?? 'r:'
}
