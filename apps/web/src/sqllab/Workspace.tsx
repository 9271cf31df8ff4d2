import { Drawer, ErrorPanel, SplitPane, toast, useNavigation, useTranslate, useTypingPage } from '@parquetry/ui'
import { memo, Suspense, useEffect, useMemo, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { createChunkLoader } from '../shared/chunk-loader.ts'
import { useMediaQuery, breakpoints } from '../shared/use-media-query.ts'
import { useTitle } from '../shared/use-title.ts'
import { createSqlLabActions, type PageActions } from './actions.ts'
import { SchemaBrowser } from './browser/SchemaBrowser.tsx'
import { useDatabases } from './browser/use-schema.ts'
import { TabBar } from './bar/TabBar.tsx'
import { StorageBanner } from './bar/StorageBanner.tsx'
import { useTabCommands } from './bar/use-tab-commands.ts'
import type { SqlLabDialog } from './dialogs/sql-lab-dialog.ts'
import type { Lab } from './lab.ts'
import { NoDatabase } from './NoDatabase.tsx'
import { OpeningTabs } from './OpeningTabs.tsx'
import { dialectOf } from './editor/dialects.ts'
import { useLinks } from './open/use-links.ts'
import { PaneSwitch, type Pane } from './PaneSwitch.tsx'
import { QueryPane } from './QueryPane.tsx'
import { findOutdated } from './results/find-outdated.ts'
import { sqlLabSettings } from './store.ts'
import { isLive, listTabQueries } from './queries.ts'
import type { QueryEditor } from './state.ts'
import { listTabTables } from './tables.ts'
import { useStableList, useStableTab } from './use-stable.ts'
import {
  activateTab,
  findActiveTab,
  chooseDatabase,
  changeTab,
  closeTab,
  hasUnsavedSql,
  moveTab,
  restoreTab,
} from './tabs.ts'
import styles from './SqlLab.module.css'

const Dialogs = lazyComponent(async () => (await import('./dialogs/Dialogs.tsx')).Dialogs)
const SideBrowser = memo(SchemaBrowser)
/** Loaded later: no query has run at the first paint. */
const SideResults = lazyComponent(async () => memo((await import('./results/ResultPane.tsx')).ResultPane))

export function Workspace({ lab }: { lab: Lab }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const { store } = lab
  const state = useStore(store)
  const tab = findActiveTab(state)
  const [dialog, setDialog] = useState<SqlLabDialog | null>(null)
  const [pane, setPane] = useState<Pane>('query')
  const [phoneBar, setPhoneBar] = useState<HTMLElement | null>(null)
  const [isDrawerOpen, setDrawerOpen] = useState(false)
  const [hasResults, setResults] = useState(true)
  const isPhone = useMediaQuery(breakpoints.phone)
  const isTablet = useMediaQuery(breakpoints.tablet)
  const isNarrow = useMediaQuery(breakpoints.narrow)
  const databases = useDatabases()
  const conflict = useStore(lab.notices, ({ conflicts }) => conflicts[0])

  const [actions] = useState(() => createSqlLabActions(lab, pageActions(lab, go, setDialog)))
  useLinks(lab)
  useTypingPage()
  useFocusOnNewTab(lab, state.queryEditors, tab?.id)

  // SQL-037 to SQL-039; a tab whose database was deleted stays unchanged until another one is chosen.
  const tabId = tab?.id
  const hasDatabase = tab?.dbId != null
  useEffect(() => {
    if (!databases.data || tabId === undefined || hasDatabase) return
    const dbId = chooseDatabase(null, sqlLabSettings.usualDatabase, databases.data)
    if (dbId !== null) store.setState((now) => changeTab(now, tabId, { dbId }))
  }, [databases.data, tabId, hasDatabase, store])

  const isLoaded = tab?.loaded ?? true
  const [failed, setFailed] = useState<string | null>(null)
  useEffect(() => {
    if (tabId !== undefined && !isLoaded) void lab.load(tabId).then((exists) => setFailed(exists ? null : tabId))
  }, [lab, tabId, isLoaded])

  const closing = (id: string): void => {
    const editor = store.getState().queryEditors.find((other) => other.id === id)
    if (!editor) return
    store.setState((now) => closeTab(now, id, Date.now()))
    if (store.getState().queryEditors.length === 0) lab.open()
    toast(t('sqllab.closed', '{name} closed', { name: editor.name }), {
      kind: 'info',
      action: { label: t('sqllab.undo', 'Undo'), run: () => store.setState((now) => restoreTab(now, id)) },
    })
  }
  const tabMenu = useTabCommands({ lab, tab, close: closing, openDialog: setDialog })

  const running = Object.values(state.queries).find(
    (query) => query.sqlEditorId === tabId && isLive(query) && !query.isDataPreview,
  )
  const isLong = useLongerThan(running?.startDttm, 3000)
  useTitle(
    [tab?.name, t('sqllab.title', 'SQL Lab')],
    isLong ? '▸' : tab && hasUnsavedSql(tab) && tab.remoteId !== null ? '•' : undefined,
  )

  const side = useStableTab(tab)
  const queries = useMemo(() => (tabId === undefined ? [] : listTabQueries(state, tabId)), [state, tabId])
  const stableQueries = useStableList(queries)
  const backend = databases.data?.find(({ id }) => id === tab?.dbId)?.backend ?? null
  const outdated = useStableList(
    useMemo(() => (tab ? findOutdated(queries, tab, dialectOf(backend).name) : []), [queries, tab, backend]),
  )
  const tables = useStableList(useMemo(() => (tabId === undefined ? [] : listTabTables(state, tabId)), [state, tabId]))

  if (databases.data?.length === 0 || databases.isError)
    return <NoDatabase error={databases.error} onRetry={() => void databases.refetch()} />
  // Without a database in the tab, there may be none at all, so an editor would promise too much.
  if (databases.isPending && !hasDatabase) return <OpeningTabs />
  if (!tab || !side) return null

  const toggleSchema = (): void => {
    if (isPhone) setPane(pane === 'schema' ? 'query' : 'schema')
    else if (isTablet) setDrawerOpen(!isDrawerOpen)
    else actions.change(tab.id, { hideLeftBar: !tab.hideLeftBar })
  }
  const browser = <SideBrowser tab={side} databases={databases.data ?? none} tables={tables} actions={actions} />
  const isDrawer = isTablet && !isPhone
  const work = (
    <SplitPane
      name="sqllab.result"
      label={t('sqllab.split.result', 'Resize editor')}
      direction="column"
      size={280}
      min={96}
      only={isPhone ? (pane === 'result' ? 'second' : 'first') : hasResults ? undefined : 'first'}
      first={
        failed === tab.id && !tab.loaded && tab.sql === '' ? (
          <ErrorPanel onRetry={() => void lab.load(tab.id)}>
            {t('sqllab.tab.notLoaded', 'An error occurred while fetching tab state')}
          </ErrorPanel>
        ) : (
          <QueryPane
            lab={lab}
            tab={tab}
            databases={databases.data ?? none}
            queries={stableQueries}
            actions={actions}
            openDialog={setDialog}
            toggleSchema={toggleSchema}
            toggleResults={() => (isPhone ? setPane(pane === 'result' ? 'query' : 'result') : setResults(!hasResults))}
            isPhone={isPhone}
            phoneBar={phoneBar}
            hasDrawer={isDrawer}
            onRun={() => {
              setResults(true)
              if (isPhone) setPane('result')
            }}
          />
        )
      }
      second={
        <Suspense>
          <SideResults tab={side} queries={stableQueries} tables={tables} outdated={outdated} actions={actions} />
        </Suspense>
      }
    />
  )
  return (
    <div className={styles.page}>
      <h1 className="visually-hidden">{t('sqllab.title', 'SQL Lab')}</h1>
      <TabBar
        tabs={state.queryEditors}
        activeId={state.activeId}
        queries={state.queries}
        onActivate={(id) => store.setState((now) => activateTab(now, id))}
        onNew={() => lab.open()}
        onClose={closing}
        onMove={(id, to) => store.setState((now) => moveTab(now, id, to))}
        onRename={(id) => setDialog({ name: 'rename', tabId: id })}
        menu={tabMenu}
      />
      <StorageBanner lab={lab} />
      {isPhone && (
        <div className={styles.phone}>
          <PaneSwitch pane={pane} onPane={setPane} />
          <div ref={setPhoneBar} className={styles.tools} />
        </div>
      )}
      <div className={styles.work}>
        <SplitPane
          name={isNarrow ? 'sqllab.schema.narrow' : 'sqllab.schema'}
          label={t('sqllab.split.schema', 'Resize table list')}
          size={isNarrow ? 240 : 280}
          min={200}
          max={480}
          only={isPhone ? (pane === 'schema' ? 'first' : 'second') : isDrawer || tab.hideLeftBar ? 'second' : undefined}
          first={isDrawer ? null : browser}
          second={work}
        />
      </div>
      <Drawer
        open={isDrawer && isDrawerOpen}
        onClose={() => setDrawerOpen(false)}
        title={t('sqllab.schema.title', 'Tables')}
        side="start"
        width={320}
      >
        <div className={styles.drawn}>{browser}</div>
      </Drawer>
      {(dialog || conflict) && (
        <Suspense>
          <Dialogs
            lab={lab}
            dialog={dialog}
            conflict={conflict ?? null}
            actions={actions}
            onClose={() => setDialog(null)}
          />
        </Suspense>
      )}
    </div>
  )
}

const none: never[] = []

const loadChartActions = createChunkLoader(async () => import('./dialogs/create-chart.ts'))

const pageActions = (
  lab: Lab,
  go: (href: string) => void,
  openDialog: (dialog: SqlLabDialog) => void,
): PageActions => ({
  createChart: (queryId) => void loadChartActions().then(({ createChart }) => createChart(lab, queryId, go)),
  createTableChart: (queryId) =>
    void loadChartActions().then(({ createTableChart }) => createTableChart(lab, queryId, go)),
  saveDataset: (queryId) => {
    const query = lab.store.getState().queries[queryId]
    if (query) openDialog({ name: 'dataset', dbId: query.dbId, schema: query.schema, sql: query.sql })
  },
})

/** Moves the keyboard focus into the editor when a tab was added and is active. */
function useFocusOnNewTab(lab: Lab, tabs: readonly QueryEditor[], activeId: string | undefined): void {
  const known = useRef(tabs)
  useEffect(() => {
    const isNew = activeId !== undefined && !known.current.some(({ id }) => id === activeId)
    known.current = tabs
    if (isNew) lab.editor.current?.focus()
  }, [lab, tabs, activeId])
}

function useLongerThan(since: number | undefined, ms: number): boolean {
  const [long, setLong] = useState<number | undefined>()
  useEffect(() => {
    if (since === undefined) return
    const timer = setTimeout(() => setLong(since), Math.max(0, since + ms - Date.now()))
    return () => clearTimeout(timer)
  }, [since, ms])
  return since !== undefined && long === since
}
