import { Skeleton, useCommand, useTranslate, type MenuItem } from '@parquetry/ui'
import { Suspense, useCallback, useEffect, useMemo, useState } from 'react'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { createPortal } from 'react-dom'
import type { SqlLabDatabase } from './browser/use-schema.ts'
import type { SqlLabDialog } from './dialogs/sql-lab-dialog.ts'
import { dialectOf } from './editor/dialects.ts'
import { findLineStarts } from '../shared/sql-field/text-ranges.ts'
import { errorDiagnostic, validationDiagnostic } from './editor/diagnostics.ts'
import { SqlEditor, type EditorDiagnostic } from './editor/SqlEditor.tsx'
import { useCompletionData } from './editor/use-completion-data.ts'
import { isValidTemplateParams, useValidation } from './editor/use-validation.ts'
import type { Lab } from './lab.ts'
import { sqlLabSettings } from './store.ts'
import type { SqlLabActions } from './actions.ts'
import { isLive } from './queries.ts'
import type { Query, QueryEditor } from './state.ts'
import { changeTab, isUntouchedSql } from './tabs.ts'
import { PhoneToolbar, Toolbar, type ToolbarProps } from './toolbar/Toolbar.tsx'
import { useLineWrapping } from './editor/use-line-wrapping.ts'
import { useRunCommands, type RunTarget } from './toolbar/use-run-commands.ts'
import { useTextCommands } from './toolbar/use-text-commands.ts'
import styles from './SqlLab.module.css'

const ParamsPanel = lazyComponent(async () => (await import('./toolbar/ParamsPanel.tsx')).ParamsPanel)

export interface QueryPaneProps {
  lab: Lab
  tab: QueryEditor
  databases: readonly SqlLabDatabase[]
  queries: readonly Query[]
  actions: SqlLabActions
  openDialog(dialog: SqlLabDialog): void
  toggleSchema(): void
  toggleResults(): void
  /** Container of the toolbar on phones, beside the pane names; null elsewhere. */
  phoneBar: HTMLElement | null
  isPhone: boolean
  /** The tables are in a drawer that a toolbar button opens. */
  hasDrawer: boolean
  onRun(): void
}

/** The editor of the active tab with its toolbar. */
export function QueryPane(props: QueryPaneProps) {
  const { lab, tab, databases, queries, actions, openDialog, isPhone, phoneBar } = props
  const t = useTranslate()
  const { store, editor } = lab
  const [chosen, setChosen] = useState<RunTarget | null>(null)
  const [showsParams, setParams] = useState(false)
  const [wraps, setWraps] = useLineWrapping()
  const database = databases.find(({ id }) => id === tab.dbId)
  const dialect = dialectOf(database?.backend ?? null)
  const { known, names } = useCompletionData(store, tab, dialect, queries)
  useValidation(store, tab)
  const running = queries.find((query) => isLive(query) && query.state !== 'fetching' && !query.isDataPreview)
  const latest = queries.find(({ id }) => id === tab.latestQueryId)

  const onMove = useCallback(() => {
    const now = editor.current?.runnableText()
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
      : isUntouchedSql(tab.sql)
        ? tab.sql.trim() === ''
          ? t('sqllab.run.nothing', 'Write a query first')
          : t('sqllab.run.onlyComments', 'Nothing to run: the text contains only comments')
        : isValidTemplateParams(tab.templateParams)
          ? undefined
          : t('sqllab.run.params', 'The parameters are not valid JSON')
  const { runChosen, runLabels, runAll, stop, estimate, createAs } = useRunCommands({
    lab,
    tab,
    database,
    dialect,
    chosen,
    running,
    off,
    actions,
    openDialog,
    onRun: props.onRun,
  })
  const textCommands = useTextCommands({ lab, tab, database, off, openDialog })
  const schemaCommand = useCommand({
    id: 'sqllab.toggleSchema',
    label: t('sqllab.toggleSchema', 'Show or hide tables'),
    shortcut: 'Mod+B',
    icon: 'sidebar',
    run: props.toggleSchema,
  })
  const resultsCommand = useCommand({
    id: 'sqllab.toggleResults',
    label: t('sqllab.toggleResults', 'Show or hide results'),
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
  const wrapCommand = useCommand({
    id: 'sqllab.wrap',
    label: t('sqllab.wrap', 'Wrap long lines'),
    shortcut: 'Alt+Z',
    run: () => setWraps(!wraps),
  })
  const mayEstimate = sqlLabSettings.mayEstimate && database?.allows_cost_estimate
  const more: MenuItem[] = [
    ...(mayEstimate ? [{ command: estimate }] : []),
    {
      label: t('sqllab.autorun', 'Run when tab opens'),
      checked: tab.autorun,
      onSelect: () => actions.change(tab.id, { autorun: !tab.autorun }),
    },
    // On a phone, lines always wrap.
    ...(isPhone
      ? []
      : [{ label: wrapCommand.label, shortcut: 'Alt+Z', checked: wraps, onSelect: () => setWraps(!wraps) }]),
    'divider',
    { command: schemaCommand },
    { command: resultsCommand },
  ]

  // SQL-030: a tab with autorun runs when it is first shown.
  const isReady = tab.loaded && tab.dbId !== null && databases.length > 0
  useEffect(() => {
    if (isReady && lab.autorun.delete(tab.id) && !isUntouchedSql(tab.sql))
      actions.run(tab.id, { sql: tab.sql, from: 0 })
  }, [isReady, lab, tab.id, tab.sql, actions])

  const { validationResult, sql } = tab
  const marks = useMemo((): EditorDiagnostic[] => {
    const starts = validationResult.errors.length > 0 ? findLineStarts(sql) : []
    const error = errorDiagnostic(sql, latest)
    const found = validationResult.errors.map((problem) => validationDiagnostic(sql, starts, problem))
    return error ? [error, ...found.filter((mark) => mark.to <= error.from || mark.from >= error.to)] : found
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the editor moves marks along as the text changes
  }, [validationResult.errors, latest?.error, latest?.state])

  const bar: ToolbarProps = {
    running,
    runCommand: runChosen,
    runLabels,
    stopCommand: stop,
    saveCommand: textCommands.save,
    formatCommand: textCommands.format,
    shareCommand: textCommands.share,
    runMenu: [
      { command: runAll },
      ...(database?.allow_ctas ? [createAs('TABLE', t('sqllab.ctas', 'CREATE TABLE AS…'))] : []),
      // The embedded engine has no views.
      ...(database?.allow_cvas && database.backend !== 'duckdb'
        ? [createAs('VIEW', t('sqllab.cvas', 'CREATE VIEW AS…'))]
        : []),
    ],
    saveMenu: [{ command: textCommands.saveAs }, { command: textCommands.dataset }, { command: textCommands.schedule }],
    moreMenu: more,
    queryLimit: tab.queryLimit,
    maxRow: tab.maxRow,
    onLimit: (queryLimit) => actions.change(tab.id, { queryLimit }),
    onOtherLimit: () => openDialog({ name: 'limit', tabId: tab.id }),
    params: sqlLabSettings.hasTemplates
      ? {
          isOpen: showsParams,
          toggle: () => setParams(!showsParams),
          isWrong: !isValidTemplateParams(tab.templateParams),
        }
      : null,
    schemaCommand: props.hasDrawer ? schemaCommand : null,
  }
  return (
    <div className={styles.query}>
      {isPhone ? phoneBar && createPortal(<PhoneToolbar {...bar} />, phoneBar) : <Toolbar {...bar} />}
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
          tabId={tab.loaded || tab.sql !== '' ? tab.id : `${tab.id} loading`}
          value={tab.sql}
          dialect={dialect}
          onChange={onChange}
          onMove={onMove}
          known={known}
          names={names}
          diagnostics={marks}
          wraps={isPhone || wraps}
          label={t('sqllab.editor', 'SQL editor. Tab indents; press Escape, then Tab, to leave.')}
          phrases={{
            Find: t('sqllab.find.find', 'Find'),
            Replace: t('sqllab.find.replaceWith', 'Replace with'),
            next: t('sqllab.find.next', 'Next'),
            previous: t('sqllab.find.previous', 'Previous'),
            all: t('sqllab.find.all', 'All'),
            'match case': t('sqllab.find.case', 'Match case'),
            regexp: t('sqllab.find.regexp', 'Regular expression'),
            'by word': t('sqllab.find.word', 'Whole words'),
            replace: t('sqllab.find.replace', 'Replace'),
            'replace all': t('sqllab.find.replaceAll', 'Replace all'),
            close: t('sqllab.find.close', 'Close'),
          }}
          handle={editor}
        />
      </div>
    </div>
  )
}
