import { Skeleton, toastError, useCommand, useCopy, useText, type MenuItem } from '@parquetry/ui'
import { lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import type { DatabaseRow } from './browser/use-schema.ts'
import { dialectOf } from './editor/dialects.ts'
import { errorMark, lineStartsOf, validationMark } from './editor/marks.ts'
import { SqlEditor, type Mark } from './editor/SqlEditor.tsx'
import { readsOnly, splitText } from './editor/split-text.ts'
import { useKnown } from './editor/use-known.ts'
import { isParams, useValidation } from './editor/use-validation.ts'
import type { Lab } from './lab.ts'
import { makeLink } from './open/make-link.ts'
import { sqlLabSettings } from './store.ts'
import type { SqlLabActions } from './actions.ts'
import { isLive } from './queries.ts'
import type { Query, QueryEditor } from './state.ts'
import { changeTab, isUntouched } from './tabs.ts'
import { Toolbar } from './toolbar/Toolbar.tsx'
import type { OpenDialog } from './Workspace.tsx'
import styles from './SqlLab.module.css'

const ParamsPanel = lazy(async () => ({ default: (await import('./toolbar/ParamsPanel.tsx')).ParamsPanel }))

export interface QueryPaneProps {
  lab: Lab
  tab: QueryEditor
  databases: readonly DatabaseRow[]
  queries: readonly Query[]
  actions: SqlLabActions
  openDialog(dialog: OpenDialog): void
  toggleSchema(): void
  toggleResults(): void
  isPhone: boolean
  onRun(): void
}

/** The editor of the tab in front with its toolbar. */
export function QueryPane(props: QueryPaneProps) {
  const { lab, tab, databases, queries, actions, openDialog, isPhone } = props
  const t = useText()
  const { store, editor } = lab
  const [chosen, setChosen] = useState<{ index: number; of: number } | 'selection' | null>(null)
  const [showsParams, setParams] = useState(false)
  const [isFormatting, setFormatting] = useState(false)
  const database = databases.find(({ id }) => id === tab.dbId)
  const dialect = dialectOf(database?.backend ?? null)
  const { known, names } = useKnown(store, tab, dialect, queries)
  useValidation(store, tab)
  const running = queries.find((query) => isLive(query) && query.state !== 'fetching' && !query.isDataPreview)
  const latest = queries.find(({ id }) => id === tab.latestQueryId)

  const onMove = useCallback(() => {
    const now = editor.current?.chosen()
    const next = !now || now.text === '' ? null : (now.statement ?? 'selection')
    setChosen((before) =>
      typeof before === 'object' && typeof next === 'object' && before?.index === next?.index && before?.of === next?.of
        ? before
        : next,
    )
  }, [editor])
  const onChange = useCallback(
    (sql: string) => store.setState((state) => changeTab(state, state.activeId, { sql })),
    [store],
  )

  const off =
    tab.dbId === null
      ? t('sqllab.run.noDatabase', 'Choose a database first')
      : isUntouched(tab.sql)
        ? t('sqllab.run.nothing', 'Write a query first')
        : isParams(tab.templateParams)
          ? undefined
          : t('sqllab.run.params', 'The parameters are not valid JSON')
  const whole = () => ({ text: editor.current?.whole() ?? tab.sql, from: 0 })
  const what = () => {
    const now = editor.current?.chosen()
    return now && now.text !== '' ? now : whole()
  }
  const run = (sql: string, from: number): void => {
    if (off !== undefined || sql.trim() === '') return
    editor.current?.settle()
    actions.run(tab.id, { sql, from })
    props.onRun()
  }
  const runAll = (): void => {
    if (off !== undefined) return
    editor.current?.settle()
    const { text } = whole()
    const statements = splitText(text, dialect.quoting)
    // Statements that only read need no common session, so each gets a result of its own.
    if (statements.length > 1 && statements.every(({ sql }) => readsOnly(sql))) {
      lab.runner.runBatch(tab.id, statements)
      props.onRun()
    } else run(text, 0)
  }
  const runCommand = useCommand({
    id: 'sqllab.run',
    label:
      chosen === 'selection'
        ? t('sqllab.run.selection', 'Run selection')
        : chosen && chosen.of > 1
          ? t('sqllab.run.statement', 'Run statement {n}', { n: chosen.index + 1 })
          : t('sqllab.run.run', 'Run'),
    shortcut: 'Mod+Enter',
    icon: 'play',
    ...(off && { disabledReason: off }),
    run: () => {
      const { text, from } = what()
      run(text, from)
    },
  })
  const runAllCommand = useCommand({
    id: 'sqllab.runAll',
    label: t('sqllab.run.all', 'Run all'),
    shortcut: 'Mod+Shift+Enter',
    icon: 'play',
    ...(off && { disabledReason: off }),
    run: runAll,
  })
  const stopCommand = useCommand({
    id: 'sqllab.stop',
    label: t('sqllab.stop', 'Stop'),
    shortcut: 'Mod+.',
    icon: 'stop',
    everywhere: true,
    ...(!running && { disabledReason: t('sqllab.stop.nothing', 'No query runs') }),
    run: () => running && actions.stop(running.id),
  })
  const saveCommand = useCommand({
    id: 'sqllab.save',
    label: t('sqllab.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (tab.remoteId === null) return openDialog({ name: 'save', tabId: tab.id, asNew: false })
      void import('./dialogs/save-query.ts').then(({ updateQuery }) => updateQuery(lab, tab.id))
    },
  })
  const saveAsCommand = useCommand({
    id: 'sqllab.saveAs',
    label: t('sqllab.saveAs', 'Save as'),
    shortcut: 'Mod+Shift+S',
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => openDialog({ name: 'save', tabId: tab.id, asNew: true }),
  })
  const scheduleCommand = useCommand({
    id: 'sqllab.schedule',
    label: t('sqllab.schedule', 'Schedule'),
    icon: 'calendar',
    ...(off && { disabledReason: off }),
    run: () => openDialog({ name: 'schedule', tabId: tab.id, sql: whole().text }),
  })
  const datasetCommand = useCommand({
    id: 'sqllab.saveDataset',
    label: t('sqllab.saveDataset', 'Save as dataset'),
    icon: 'dataset',
    ...(off && { disabledReason: off }),
    run: () =>
      tab.dbId !== null && openDialog({ name: 'dataset', dbId: tab.dbId, schema: tab.schema, sql: what().text }),
  })
  const copy = useCopy()
  const shareCommand = useCommand({
    id: 'sqllab.share',
    label: t('sqllab.share', 'Share'),
    icon: 'share',
    ...(off && { disabledReason: off }),
    run: () => {
      makeLink(tab).then(
        (link) => copy(link, t('share.copied', 'Link Copied!')),
        (error: unknown) => toastError(messageOf(error)),
      )
    },
  })
  const formatCommand = useCommand({
    id: 'sqllab.format',
    label: t('sqllab.format', 'Format'),
    shortcut: 'Mod+Shift+F',
    ...(isUntouched(tab.sql) && { disabledReason: t('sqllab.run.nothing', 'Write a query first') }),
    run: () => {
      if (isFormatting) return
      setFormatting(true)
      const before = whole().text
      api
        .post<{ result: string }>('/api/v1/sqllab/format_sql/', {
          body: {
            sql: before,
            ...(database && { engine: database.backend, database_id: database.id }),
            template_params: tab.templateParams,
          },
        })
        .then(
          ({ result }) => {
            // What was typed meanwhile counts more.
            if (editor.current?.whole() === before) editor.current.replace(result)
          },
          (error: unknown) =>
            toastError(`${t('sqllab.format.failed', 'Could not format the text.')} ${messageOf(error)}`),
        )
        .finally(() => setFormatting(false))
    },
  })
  const schemaCommand = useCommand({
    id: 'sqllab.toggleSchema',
    label: t('sqllab.toggleSchema', 'Show or hide the tables'),
    shortcut: 'Mod+B',
    icon: 'sidebar',
    run: props.toggleSchema,
  })
  const resultsCommand = useCommand({
    id: 'sqllab.toggleResults',
    label: t('sqllab.toggleResults', 'Show or hide the results'),
    shortcut: 'Mod+J',
    icon: 'rows',
    run: props.toggleResults,
  })
  useCommand({
    id: 'sqllab.find',
    label: t('sqllab.find', 'Find and replace'),
    shortcut: 'Mod+F',
    icon: 'search',
    run: () => editor.current?.find(),
  })
  const costCommand = useCommand({
    id: 'sqllab.cost',
    label: t('sqllab.cost', 'Estimate cost'),
    icon: 'number',
    ...(off && { disabledReason: off }),
    run: () => openDialog({ name: 'cost', tabId: tab.id, sql: what().text }),
  })

  const createAs = (method: 'TABLE' | 'VIEW', label: string): MenuItem => ({
    label,
    disabledReason: off,
    onSelect: () => {
      const { text, from } = what()
      openDialog({ name: 'createAs', tabId: tab.id, sql: text, from, method })
    },
  })
  const mayEstimate = sqlLabSettings.mayEstimate && database?.allows_cost_estimate
  const more: MenuItem[] = [
    ...(isPhone
      ? [
          { command: shareCommand },
          { command: formatCommand },
          ...(sqlLabSettings.hasTemplates
            ? [{ label: t('sqllab.params.open', 'Parameters'), onSelect: () => setParams(!showsParams) }]
            : []),
          'divider' as const,
        ]
      : []),
    ...(mayEstimate ? [{ command: costCommand }] : []),
    {
      label: t('sqllab.autorun', 'Run when the tab opens'),
      checked: tab.autorun,
      onSelect: () => actions.change(tab.id, { autorun: !tab.autorun }),
    },
    'divider',
    { command: schemaCommand },
    { command: resultsCommand },
  ]

  // SQL-030: a tab that says so runs when it is first shown.
  const isReady = tab.loaded && tab.dbId !== null && databases.length > 0
  useEffect(() => {
    if (isReady && lab.autorun.delete(tab.id) && !isUntouched(tab.sql)) actions.run(tab.id, { sql: tab.sql, from: 0 })
  }, [isReady, lab, tab.id, tab.sql, actions])

  const { validationResult, sql } = tab
  const marks = useMemo((): Mark[] => {
    const starts = validationResult.errors.length > 0 ? lineStartsOf(sql) : []
    const error = errorMark(sql, latest)
    const found = validationResult.errors.map((problem) => validationMark(sql, starts, problem))
    return error ? [error, ...found.filter((mark) => mark.to <= error.from || mark.from >= error.to)] : found
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the editor moves marks along as the text changes
  }, [validationResult.errors, latest?.error, latest?.state])

  return (
    <div className={styles.query}>
      <Toolbar
        running={running}
        runCommand={runCommand}
        stopCommand={stopCommand}
        saveCommand={saveCommand}
        formatCommand={formatCommand}
        shareCommand={shareCommand}
        runMenu={[
          { command: runAllCommand },
          ...(database?.allow_ctas ? [createAs('TABLE', t('sqllab.ctas', 'CREATE TABLE AS…'))] : []),
          ...(database?.allow_cvas ? [createAs('VIEW', t('sqllab.cvas', 'CREATE VIEW AS…'))] : []),
        ]}
        saveMenu={[{ command: saveAsCommand }, { command: datasetCommand }, { command: scheduleCommand }]}
        moreMenu={more}
        queryLimit={tab.queryLimit}
        maxRow={tab.maxRow}
        onLimit={(queryLimit) => actions.change(tab.id, { queryLimit })}
        params={
          sqlLabSettings.hasTemplates
            ? { isOpen: showsParams, toggle: () => setParams(!showsParams), isWrong: !isParams(tab.templateParams) }
            : null
        }
        isNarrow={isPhone}
      />
      {showsParams && (
        <Suspense>
          <ParamsPanel
            value={tab.templateParams}
            onChange={(templateParams) => actions.change(tab.id, { templateParams })}
            onClose={() => setParams(false)}
          />
        </Suspense>
      )}
      <div className={styles.editor} data-pane>
        {!tab.loaded && tab.sql === '' && (
          <div className={styles.loading} aria-busy>
            <Skeleton width="40%" />
            <Skeleton width="60%" />
            <Skeleton width="30%" />
          </div>
        )}
        <SqlEditor
          tabId={tab.loaded ? tab.id : `${tab.id} loading`}
          value={tab.sql}
          dialect={dialect}
          onChange={onChange}
          onMove={onMove}
          known={known}
          names={names}
          marks={marks}
          label={t('sqllab.editor', 'SQL editor. Tab indents; press Escape, then Tab, to leave.')}
          phrases={{
            Find: t('sqllab.find.find', 'Find'),
            Replace: t('sqllab.find.replaceWith', 'Replace'),
            next: t('sqllab.find.next', 'next'),
            previous: t('sqllab.find.previous', 'previous'),
            all: t('sqllab.find.all', 'all'),
            'match case': t('sqllab.find.case', 'match case'),
            regexp: t('sqllab.find.regexp', 'regular expression'),
            'by word': t('sqllab.find.word', 'whole words'),
            replace: t('sqllab.find.replace', 'replace'),
            'replace all': t('sqllab.find.replaceAll', 'replace all'),
            close: t('sqllab.find.close', 'close'),
          }}
          handle={editor}
        />
      </div>
    </div>
  )
}
