import {
  Button,
  EmptyState,
  ButtonLink,
  PageHeader,
  Select,
  SplitPane,
  toast,
  toastError,
  useCommand,
  useText,
} from '@parquetry/ui'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useStore, type StoreApi } from 'zustand'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { usePage } from '../shared/page.ts'
import { useTitle } from '../shared/use-title.ts'
import { chooseDatabase, createDraftStore, isUntouched, limits, type Draft, type DraftState } from './draft.ts'
import { sqlLab } from './pages.ts'
import { ResultPane } from './ResultPane.tsx'
import { SaveDatasetDialog } from './SaveDatasetDialog.tsx'
import { SchemaBrowser } from './SchemaBrowser.tsx'
import { SqlEditor, type EditorHandle } from './SqlEditor.tsx'
import { useDatabases, useSchemas, useTables } from './use-schema.ts'
import { useRun } from './use-run.ts'
import styles from './SqlLab.module.css'

/** One editor, its schema beside it and its result below. The text is kept in the browser with every key. */
export function SqlLabPage() {
  const t = useText()
  const { search, setSearch } = usePage(sqlLab)
  const [store] = useState(() => createDraftStore())
  const { draft, isKept, change } = useStore(store)
  const [chosen, setChosen] = useState<{ index: number; of: number } | 'selection' | null>(null)
  const [saving, setSaving] = useState<string | null>(null)
  const editor = useRef<EditorHandle>(null)
  const { run, start, stop } = useRun()
  const isNarrow = useNarrow()
  const [pane, setPane] = useState<'schema' | 'query'>('query')

  const databases = useDatabases()
  const usual = boot.common.conf['SQLLAB_DEFAULT_DBID']
  const dbId = databases.data
    ? chooseDatabase(draft.dbId, typeof usual === 'number' ? usual : null, databases.data)
    : draft.dbId
  const schemas = useSchemas(dbId)
  const schema = draft.schema && schemas.data?.includes(draft.schema) ? draft.schema : usualSchema(schemas.data)
  const tables = useTables(dbId, schema)

  const open = useOpen(store)
  useEffect(() => {
    if (search.sql === null && search.dbid === null) return
    open({
      ...(search.sql !== null && { sql: search.sql }),
      ...(search.dbid !== null && { dbId: search.dbid }),
      ...(search.schema !== null && { schema: search.schema }),
    })
    setSearch({ sql: null, dbid: null, schema: null }, { replace: true })
  }, [search, open, setSearch])
  useSavedQuery(search.savedQueryId, open)
  useTitle([draft.name, t('sqllab.title', 'SQL Lab')])

  const onMove = useCallback(() => {
    const { text, statement } = editor.current?.chosen() ?? { text: '', statement: null }
    setChosen(text === '' ? null : (statement ?? 'selection'))
  }, [])
  const runNow = (): void => {
    const what = editor.current?.chosen()
    if (!what?.text || dbId === null || isUntouched(draft)) return
    start({ database_id: dbId, schema, sql: what.text, queryLimit: draft.queryLimit, tab: draft.name, from: what.from })
  }

  const off =
    dbId === null
      ? t('sqllab.run.noDatabase', 'Choose a database first')
      : isUntouched(draft)
        ? t('sqllab.run.nothing', 'Write a query first')
        : undefined
  const runLabel =
    chosen === 'selection'
      ? t('sqllab.run.selection', 'Run selection')
      : chosen && chosen.of > 1
        ? t('sqllab.run.statement', 'Run statement {n}', { n: chosen.index + 1 })
        : t('sqllab.run.run', 'Run')
  const runCommand = useCommand({
    id: 'sqllab.run',
    label: runLabel,
    shortcut: 'Mod+Enter',
    icon: 'play',
    ...(off && { disabledReason: off }),
    run: runNow,
  })
  const stopCommand = useCommand({
    id: 'sqllab.stop',
    label: t('sqllab.stop', 'Stop'),
    shortcut: 'Mod+.',
    icon: 'stop',
    everywhere: true,
    run: stop,
  })

  const error =
    run.phase === 'failed' && run.error.offset !== null
      ? markOf(run.asked.from + run.error.offset, draft.sql, run.error.message)
      : null
  const showError = (): void => {
    if (error) editor.current?.select(error.from, error.to)
  }

  if (databases.data?.length === 0)
    return (
      <>
        <PageHeader title={t('sqllab.title', 'SQL Lab')} />
        <EmptyState
          title={t('sqllab.noDatabase', 'No database to ask')}
          actions={
            <ButtonLink variant="primary" href="/databaseview/list/?show_database_modal=true">
              {t('sqllab.connect', 'Connect a database')}
            </ButtonLink>
          }
        >
          {t('sqllab.noDatabaseText', 'Connect one, or ask an administrator for access to one.')}
        </EmptyState>
      </>
    )

  const browser = (
    <SchemaBrowser
      databases={databases.data ?? []}
      dbId={dbId}
      schema={schema}
      schemas={schemas}
      tables={tables}
      onDatabase={(id) => change({ dbId: id, schema: null })}
      onSchema={(name) => change({ schema: name })}
      onInsert={(text) => {
        if (isUntouched(draft)) change({ sql: text })
        else editor.current?.insert(text)
        setPane('query')
      }}
    />
  )
  const work = (
    <SplitPane
      name="sqllab.result"
      label={t('sqllab.split.result', 'Height of the editor')}
      direction="column"
      size={280}
      min={96}
      first={
        <div className={styles.editor}>
          <SqlEditor
            value={draft.sql}
            onChange={(sql) => change({ sql })}
            onMove={onMove}
            onRun={runNow}
            tables={tables.known}
            wantColumns={tables.want}
            error={error}
            label={t('sqllab.editor', 'SQL editor. Tab indents; press Escape, then Tab, to leave.')}
            handle={editor}
          />
        </div>
      }
      second={<ResultPane run={run} onStop={stop} onRerun={start} onShow={showError} onCreateChart={setSaving} />}
    />
  )

  return (
    <div className={styles.page}>
      <PageHeader
        title={draft.name}
        onRename={(name) => change({ name })}
        actions={
          <>
            <Select
              compact
              aria-label={t('sqllab.limit', 'Row limit')}
              prefix={t('sqllab.limitWord', 'Limit')}
              value={draft.queryLimit}
              onChange={(queryLimit) => queryLimit && change({ queryLimit })}
              options={limits.choices.map((value) => ({ value, label: value.toLocaleString(boot.common.locale) }))}
            />
            <Button
              icon="dataset"
              onClick={() => setSaving(editor.current?.chosen().text ?? draft.sql)}
              disabledReason={off}
            >
              {t('sqllab.saveDataset', 'Save as dataset')}
            </Button>
            {run.phase === 'running' ? (
              <Button command={stopCommand} />
            ) : (
              <Button variant="primary" command={runCommand} />
            )}
          </>
        }
      />
      {!isKept && (
        <p className={styles.warning} role="alert">
          {t('sqllab.notKept', 'The browser has no room to keep this text. Copy it before you leave the page.')}
        </p>
      )}
      {isNarrow && (
        <div className={styles.panes}>
          <Button variant={pane === 'schema' ? 'primary' : 'secondary'} onClick={() => setPane('schema')}>
            {t('sqllab.pane.schema', 'Tables')}
          </Button>
          <Button variant={pane === 'query' ? 'primary' : 'secondary'} onClick={() => setPane('query')}>
            {t('sqllab.pane.query', 'Query')}
          </Button>
        </div>
      )}
      <div className={styles.work}>
        <SplitPane
          name="sqllab.schema"
          label={t('sqllab.split.schema', 'Width of the tables')}
          size={280}
          min={200}
          max={480}
          only={isNarrow ? (pane === 'schema' ? 'first' : 'second') : undefined}
          first={browser}
          second={work}
        />
      </div>
      {dbId !== null && saving !== null && (
        <SaveDatasetDialog onClose={() => setSaving(null)} database={dbId} schema={schema} sql={saving} />
      )}
    </div>
  )
}

/** The usual schema where a database has several: `public` or `main`, else the first. */
const usualSchema = (schemas: readonly string[] | undefined): string | null =>
  schemas?.find((name) => name === 'public' || name === 'main') ?? schemas?.[0] ?? null

/** The word at an offset of the whole text. */
function markOf(at: number, sql: string, message: string): { from: number; to: number; message: string } {
  const from = Math.min(at, Math.max(0, sql.length - 1))
  const [word] = /^\w+|^\S/.exec(sql.slice(from)) ?? []
  return { from, to: from + Math.max(1, word?.length ?? 1), message }
}

function useNarrow(): boolean {
  const query = '(max-width: 767px)'
  const [narrow, setNarrow] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const media = matchMedia(query)
    const listen = (): void => setNarrow(media.matches)
    media.addEventListener('change', listen)
    return () => media.removeEventListener('change', listen)
  }, [])
  return narrow
}

/** Takes over what a link brings. What stood in the editor comes back on request. */
function useOpen(store: StoreApi<DraftState>): (part: Partial<Draft>) => void {
  const t = useText()
  return useCallback(
    (part) => {
      const { draft: before, change } = store.getState()
      change(part)
      if (isUntouched(before) || before.sql === store.getState().draft.sql) return
      toast(t('sqllab.replaced', '{name} was replaced by what the link holds', { name: before.name }), {
        kind: 'info',
        action: { label: t('sqllab.bringBack', 'Bring it back'), run: () => change(before) },
      })
    },
    [store, t],
  )
}

interface SavedQueryAnswer {
  result: { label: string; sql: string; schema: string | null; database: { id: number } }
}

/** SQL-015, SQL-017: a link to a saved query opens it under its label. */
function useSavedQuery(id: number | null, open: (part: Partial<Draft>) => void): void {
  const t = useText()
  const { setSearch } = usePage(sqlLab)
  useEffect(() => {
    if (id === null) return
    const abort = new AbortController()
    api.get<SavedQueryAnswer>(`/api/v1/saved_query/${id}`, { signal: abort.signal }).then(
      ({ result }) => {
        open({ name: result.label, sql: result.sql, schema: result.schema, dbId: result.database.id })
        setSearch({ savedQueryId: null }, { replace: true })
      },
      (error: unknown) => {
        if (!abort.signal.aborted)
          toastError(`${t('sqllab.notLoaded', "Query couldn't be loaded")}: ${messageOf(error)}`)
      },
    )
    return () => abort.abort()
  }, [id, open, setSearch, t])
}
