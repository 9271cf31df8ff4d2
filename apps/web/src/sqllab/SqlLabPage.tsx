import { Button, EmptyState, ButtonLink, PageHeader, Select, SplitPane, useCommand, useText } from '@parquetry/ui'
import { useCallback, useRef, useState } from 'react'
import { useStore } from 'zustand'
import { boot } from '../shared/boot.ts'
import { useMedia, widths } from '../shared/use-media.ts'
import { usualSchema } from '../shared/usual-schema.ts'
import { useTitle } from '../shared/use-title.ts'
import { chooseDatabase, createDraftStore, isUntouched, limits } from './draft.ts'
import { ResultPane } from './results/ResultPane.tsx'
import { SaveDatasetDialog } from './SaveDatasetDialog.tsx'
import { SchemaBrowser } from './browser/SchemaBrowser.tsx'
import { SqlEditor, type EditorHandle } from './SqlEditor.tsx'
import { useDatabases, useSchemas, useTables } from './browser/use-schema.ts'
import { useLinks } from './use-links.ts'
import { useRun } from './use-run.ts'
import styles from './SqlLab.module.css'

/** One editor, its schema beside it and its result below. The text is kept in the browser with every key. */
export function SqlLabPage() {
  const t = useText()
  const [store] = useState(() => createDraftStore())
  const { draft, isKept, change } = useStore(store)
  const [chosen, setChosen] = useState<{ index: number; of: number } | 'selection' | null>(null)
  const [saving, setSaving] = useState<string | null>(null)
  const editor = useRef<EditorHandle>(null)
  const { run, start, stop } = useRun()
  const isNarrow = useMedia(widths.phone)
  const [pane, setPane] = useState<'schema' | 'query'>('query')

  const databases = useDatabases()
  const usual = boot.common.conf['SQLLAB_DEFAULT_DBID']
  const dbId = databases.data
    ? chooseDatabase(draft.dbId, typeof usual === 'number' ? usual : null, databases.data)
    : draft.dbId
  const schemas = useSchemas(dbId)
  const schema = draft.schema && schemas.data?.includes(draft.schema) ? draft.schema : usualSchema(schemas.data)
  const tables = useTables(dbId, schema)

  useLinks(store)
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

  const settings = (
    <>
      <Select
        compact
        aria-label={t('sqllab.limit', 'Row limit')}
        prefix={t('sqllab.limitWord', 'Limit')}
        value={draft.queryLimit}
        onChange={(queryLimit) => queryLimit && change({ queryLimit })}
        options={limits.choices.map((value) => ({ value, label: value.toLocaleString(boot.common.locale) }))}
      />
      <Button icon="dataset" onClick={() => setSaving(editor.current?.chosen().text ?? draft.sql)} disabledReason={off}>
        {t('sqllab.saveDataset', 'Save as dataset')}
      </Button>
    </>
  )

  return (
    <div className={styles.page}>
      <PageHeader
        title={draft.name}
        onRename={(name) => change({ name })}
        actions={
          <>
            {!isNarrow && settings}
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
          <span className={styles.spring} />
          {settings}
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
        <SaveDatasetDialog onClose={() => setSaving(null)} source={{ database: dbId, schema, sql: saving }} />
      )}
    </div>
  )
}

/** The word at an offset of the whole text. */
function markOf(at: number, sql: string, message: string): { from: number; to: number; message: string } {
  const from = Math.min(at, Math.max(0, sql.length - 1))
  const [word] = /^\w+|^\S/.exec(sql.slice(from)) ?? []
  return { from, to: from + Math.max(1, word?.length ?? 1), message }
}
