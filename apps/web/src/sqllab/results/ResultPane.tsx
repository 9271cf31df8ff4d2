import { Skeleton, Tabs, useTranslate } from '@parquetry/ui'
import { Suspense, useState } from 'react'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import type { SqlLabActions } from '../actions.ts'
import type { Query, QueryEditor, TableSchema } from '../state.ts'
import { ResultView } from './ResultView.tsx'
import { resolveActiveTab, resultTabs, type SelectedTab, type ResultTab } from './result-tabs.ts'
import styles from './results.module.css'

const HistoryPane = lazyComponent(async () => (await import('../history/HistoryPane.tsx')).HistoryPane)

export interface ResultPaneProps {
  tab: QueryEditor
  /** Queries of the tab, newest first, including previews. */
  queries: readonly Query[]
  /** Panels of the tab. */
  tables: readonly TableSchema[]
  /** See `findOutdated`. */
  outdated: readonly string[]
  actions: SqlLabActions
}

/**
 * Pane below the editor: the last results, the history, and table previews. A new run is shown automatically, without moving the
 * focus.
 */
export function ResultPane({ tab, queries, tables, outdated, actions }: ResultPaneProps) {
  const t = useTranslate()
  const [chosen, setChosen] = useState<SelectedTab | null>(null)
  const newest = queries[0]
  // A selection from before the newest run no longer applies.
  const valid = chosen?.newest === (newest?.id ?? null) ? chosen : null
  const tabs = resultTabs(queries, tables, valid)
  const open = resolveActiveTab(tabs, valid, newest)
  const choose = (value: string): void => setChosen({ value, newest: newest?.id ?? null })
  const current = tabs.find(({ value }) => value === open)
  const nameOf = ({ value, number, table, query }: ResultTab): string =>
    value === 'history'
      ? t('sqllab.result.history', 'History')
      : table
        ? t('sqllab.result.preview', 'Preview: {name}', { name: table.name })
        : number === null
          ? query !== null && query.id === valid?.value.slice(2) && query.id !== tabs[0]?.query?.id
            ? t('sqllab.result.earlier', 'Earlier result')
            : t('sqllab.result.results', 'Results')
          : t('sqllab.result.resultsOf', 'Results {number}', { number })
  const before = queries.find(
    (query) => query.results !== null && query.id !== current?.query?.id && !query.isDataPreview,
  )

  return (
    <section className={styles.pane} aria-label={t('sqllab.result.pane', 'Results')} data-pane>
      <Tabs
        label={t('sqllab.result.pane', 'Results')}
        value={open}
        onChange={choose}
        tabs={tabs.map((each) => ({ value: each.value, label: nameOf(each) }))}
      >
        {open === 'history' ? (
          <Suspense fallback={<Skeleton height={120} />}>
            <HistoryPane tab={tab} queries={queries} actions={actions} onShow={(id) => choose(`r:${id}`)} />
          </Suspense>
        ) : (
          <ResultView
            tab={tab}
            query={current?.query ?? null}
            before={before?.results?.frame ?? null}
            isOutdated={current?.query != null && outdated.includes(current.query.id)}
            actions={actions}
          />
        )}
      </Tabs>
    </section>
  )
}
