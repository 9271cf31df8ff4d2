import {
  Button,
  ButtonLink,
  Drawer,
  EmptyState,
  ErrorPanel,
  SplitPane,
  toast,
  useNavigation,
  useText,
} from '@parquetry/ui'
import { memo, Suspense, useEffect, useMemo, useState } from 'react'
import { useStore } from 'zustand'
import { lazyPart } from '../shared/lazy-part.ts'
import { messageOf } from '../shared/errors.ts'
import { FileButton } from '../shared/FileButton.tsx'
import { mayUploadAny } from '../shared/upload.ts'
import { useMedia, widths } from '../shared/use-media.ts'
import { useTitle } from '../shared/use-title.ts'
import { actionsOf, type PageActions } from './actions.ts'
import { SchemaBrowser } from './browser/SchemaBrowser.tsx'
import { useDatabases } from './browser/use-schema.ts'
import { TabBar } from './bar/TabBar.tsx'
import { Strips } from './bar/Strips.tsx'
import { useTabCommands } from './bar/use-tab-commands.ts'
import type { Lab } from './lab.ts'
import { useLinks } from './open/use-links.ts'
import { QueryPane } from './QueryPane.tsx'
import { sqlLabSettings } from './store.ts'
import { isLive, queriesOf } from './queries.ts'
import type { QueryEditor } from './state.ts'
import { tablesOf } from './tables.ts'
import { activate, activeOf, chooseDatabase, changeTab, closeTab, differs, moveTab, restoreTab } from './tabs.ts'
import styles from './SqlLab.module.css'

const Dialogs = lazyPart(async () => (await import('./dialogs/Dialogs.tsx')).Dialogs)
const SideBrowser = memo(SchemaBrowser)
/** Nothing has run at the first paint. */
const SideResults = lazyPart(async () => memo((await import('./results/ResultPane.tsx')).ResultPane))

/** A dialog over the page, and what it is about. */
export type OpenDialog =
  | { name: 'rename'; tabId: string }
  | { name: 'save'; tabId: string; asNew: boolean }
  | { name: 'schedule'; tabId: string; sql: string }
  | { name: 'createAs'; tabId: string; sql: string; from: number; method: 'TABLE' | 'VIEW' }
  | { name: 'dataset'; dbId: number; schema: string | null; sql: string }
  | { name: 'cost'; tabId: string; sql: string }

type Pane = 'schema' | 'query' | 'result'

export function Workspace({ lab }: { lab: Lab }) {
  const t = useText()
  const { go } = useNavigation()
  const { store } = lab
  const state = useStore(store)
  const tab = activeOf(state)
  const [dialog, setDialog] = useState<OpenDialog | null>(null)
  const [pane, setPane] = useState<Pane>('query')
  const [phoneBar, setPhoneBar] = useState<HTMLElement | null>(null)
  const [isDrawn, setDrawn] = useState(false)
  const [hasResults, setResults] = useState(true)
  const isPhone = useMedia(widths.phone)
  const isTablet = useMedia(widths.tablet)
  const isNarrow = useMedia(widths.narrow)
  const databases = useDatabases()
  const conflict = useStore(lab.notices, ({ conflicts }) => conflicts[0])

  const [actions] = useState(() => actionsOf(lab, pageActions(lab, go, setDialog)))
  useLinks(lab)

  // SQL-037 to SQL-039; a tab whose database is gone keeps that to itself until another one is chosen.
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
    if (tabId !== undefined && !isLoaded) void lab.load(tabId).then((isThere) => setFailed(isThere ? null : tabId))
  }, [lab, tabId, isLoaded])

  const closing = (id: string): void => {
    const editor = store.getState().queryEditors.find((other) => other.id === id)
    if (!editor) return
    store.setState((now) => closeTab(now, id, Date.now()))
    if (store.getState().queryEditors.length === 0) lab.open()
    toast(t('sqllab.closed', '{name} is closed', { name: editor.name }), {
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
    isLong ? '▸' : tab && differs(tab) && tab.remoteId !== null ? '•' : undefined,
  )

  const side = useWithoutText(tab)
  const queries = useMemo(() => (tabId === undefined ? [] : queriesOf(state, tabId)), [state, tabId])
  const stableQueries = useSame(queries)
  const tables = useSame(useMemo(() => (tabId === undefined ? [] : tablesOf(state, tabId)), [state, tabId]))

  if (databases.data?.length === 0 || databases.isError)
    return (
      <div className={styles.page}>
        <h1 className="visually-hidden">{t('sqllab.title', 'SQL Lab')}</h1>
        {databases.isError ? (
          <ErrorPanel onRetry={() => void databases.refetch()}>{messageOf(databases.error)}</ErrorPanel>
        ) : (
          <EmptyState
            title={t('sqllab.noDatabase', 'No database to ask')}
            actions={
              <>
                <ButtonLink variant="primary" href="/databaseview/list/?show_database_modal=true">
                  {t('sqllab.connect', 'Connect a database')}
                </ButtonLink>
                {mayUploadAny && <FileButton icon="upload">{t('sqllab.upload', 'Upload a file')}</FileButton>}
              </>
            }
          >
            {t('sqllab.noDatabaseText', 'Connect one, or ask an administrator for access to one.')}
          </EmptyState>
        )}
      </div>
    )
  if (!tab || !side) return null

  const toggleSchema = (): void => {
    if (isPhone) setPane(pane === 'schema' ? 'query' : 'schema')
    else if (isTablet) setDrawn(!isDrawn)
    else actions.change(tab.id, { hideLeftBar: !tab.hideLeftBar })
  }
  const browser = <SideBrowser tab={side} databases={databases.data ?? none} tables={tables} actions={actions} />
  const isDrawer = isTablet && !isPhone
  const work = (
    <SplitPane
      name="sqllab.result"
      label={t('sqllab.split.result', 'Height of the editor')}
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
          <SideResults tab={side} queries={stableQueries} tables={tables} actions={actions} />
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
        onActivate={(id) => store.setState((now) => activate(now, id))}
        onNew={() => lab.open()}
        onClose={closing}
        onMove={(id, to) => store.setState((now) => moveTab(now, id, to))}
        onRename={(id) => setDialog({ name: 'rename', tabId: id })}
        menu={tabMenu}
      />
      <Strips lab={lab} />
      {isPhone && (
        <div className={styles.phone}>
          <div className={styles.panes} role="group" aria-label={t('sqllab.panes', 'Panes')}>
            {(
              [
                ['schema', t('sqllab.pane.schema', 'Schema')],
                ['query', t('sqllab.pane.query', 'Query')],
                ['result', t('sqllab.pane.result', 'Result')],
              ] as const
            ).map(([name, label]) => (
              <Button key={name} variant="quiet" aria-pressed={pane === name} onClick={() => setPane(name)}>
                {label}
              </Button>
            ))}
          </div>
          <div ref={setPhoneBar} className={styles.tools} />
        </div>
      )}
      <div className={styles.work}>
        <SplitPane
          name={isNarrow ? 'sqllab.schema.narrow' : 'sqllab.schema'}
          label={t('sqllab.split.schema', 'Width of the tables')}
          size={isNarrow ? 240 : 280}
          min={200}
          max={480}
          only={isPhone ? (pane === 'schema' ? 'first' : 'second') : isDrawer || tab.hideLeftBar ? 'second' : undefined}
          first={isDrawer ? null : browser}
          second={work}
        />
      </div>
      <Drawer
        open={isDrawer && isDrawn}
        onClose={() => setDrawn(false)}
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

const pageActions = (lab: Lab, go: (href: string) => void, openDialog: (dialog: OpenDialog) => void): PageActions => ({
  createChart: (queryId) =>
    void import('./dialogs/create-chart.ts').then(({ createChart }) => createChart(lab, queryId, go)),
  saveDataset: (queryId) => {
    const query = lab.store.getState().queries[queryId]
    if (query) openDialog({ name: 'dataset', dbId: query.dbId, schema: query.schema, sql: query.sql })
  },
})

/** The tab as the panes beside the editor see it: typing does not draw them again. */
function useWithoutText(tab: QueryEditor | undefined): QueryEditor | undefined {
  const [kept, keep] = useState(tab)
  if (kept === tab) return kept
  if (kept && tab && sideFields.every((field) => kept[field] === tab[field])) return kept
  keep(tab)
  return tab
}

const sideFields = [
  'id',
  'name',
  'dbId',
  'catalog',
  'schema',
  'queryLimit',
  'latestQueryId',
  'hideLeftBar',
  'loaded',
  'tabStateId',
] as const

/** The list before, as long as it holds the same things. */
function useSame<T>(list: readonly T[]): readonly T[] {
  const [kept, keep] = useState(list)
  if (kept === list) return kept
  if (kept.length === list.length && kept.every((thing, at) => thing === list[at])) return kept
  keep(list)
  return list
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
