import { useCommand, useTranslate, type Command, type MenuItem } from '@parquetry/ui'
import type { SqlLabActions } from '../actions.ts'
import type { SqlLabDatabase } from '../browser/use-schema.ts'
import { readCreateTable } from '../editor/read-create-table.ts'
import { readRunnableText, readFullText } from '../editor/runnable-text.ts'
import type { Dialect } from '../editor/dialects.ts'
import { isReadOnlySql, splitStatements } from '../editor/split-statements.ts'
import type { Lab } from '../lab.ts'
import type { Query, QueryEditor } from '../state.ts'
import type { SqlLabDialog } from '../dialogs/sql-lab-dialog.ts'

/** A selection, or the statement at the cursor by its number. */
export type RunTarget = { index: number; of: number } | 'selection'

interface RunOptions {
  lab: Lab
  tab: QueryEditor
  database: SqlLabDatabase | undefined
  dialect: Dialect
  /** The part that "Run" executes; null: the whole text. */
  chosen: RunTarget | null
  running: Query | undefined
  /** Why nothing can be run now. */
  off: string | undefined
  actions: SqlLabActions
  openDialog(dialog: SqlLabDialog): void
  onRun(): void
}

/** Commands that run the text of the active tab, whole or in part, or stop the running query. */
export function useRunCommands({
  lab,
  tab,
  database,
  dialect,
  chosen,
  running,
  off,
  actions,
  openDialog,
  onRun,
}: RunOptions): {
  runChosen: Command
  /** All labels that `runChosen` may have for this number of statements: the button is as wide as the widest. */
  runLabels: readonly string[]
  runAll: Command
  stop: Command
  estimate: Command
  createAs(method: 'TABLE' | 'VIEW', label: string): MenuItem
} {
  const t = useTranslate()
  const { editor } = lab
  const run = (sql: string, from: number): void => {
    if (off !== undefined || sql.trim() === '') return
    editor.current?.closeCompletion()
    const isEmbedded = database?.backend === 'duckdb'
    const created = isEmbedded && database.allow_ctas ? readCreateTable(sql, dialect.name) : null
    actions.run(
      tab.id,
      created
        ? { sql: created.sql, from: from + created.from, ctas: { method: 'TABLE', name: created.name } }
        : { sql, from },
    )
    onRun()
  }
  const runWhole = (): void => {
    if (off !== undefined) return
    editor.current?.closeCompletion()
    const text = readFullText(lab, tab)
    const statements = splitStatements(text, dialect.name)
    // Read-only statements need no shared session, so each gets a separate result.
    if (statements.length > 1 && statements.every(({ sql }) => isReadOnlySql(sql, dialect.name))) {
      lab.runner.runBatch(tab.id, statements)
      onRun()
    } else run(text, 0)
  }
  const statementLabel = (n: number): string => t('sqllab.run.statement', 'Run statement {n}', { n })
  const selectionLabel = t('sqllab.run.selection', 'Run selection')
  const statementCount = chosen === null || chosen === 'selection' ? 0 : chosen.of
  const runLabels = [selectionLabel, statementLabel(Number('8'.repeat(Math.max(2, String(statementCount).length))))]
  const runChosen = useCommand({
    id: 'sqllab.run',
    label:
      chosen === 'selection'
        ? selectionLabel
        : chosen && chosen.of > 1
          ? statementLabel(chosen.index + 1)
          : t('sqllab.run.run', 'Run'),
    shortcut: 'Mod+Enter',
    icon: 'play',
    ...(off && { disabledReason: off }),
    run: () => {
      const { text, from } = readRunnableText(lab, tab)
      run(text, from)
    },
  })
  const runAll = useCommand({
    id: 'sqllab.runAll',
    label: t('sqllab.run.all', 'Run all'),
    shortcut: 'Mod+Shift+Enter',
    icon: 'play',
    ...(off && { disabledReason: off }),
    run: runWhole,
  })
  const stop = useCommand({
    id: 'sqllab.stop',
    label: t('sqllab.stop', 'Stop'),
    shortcut: 'Mod+.',
    icon: 'stop',
    everywhere: true,
    ...(!running && { disabledReason: t('sqllab.stop.nothing', 'No query is running') }),
    run: () => running && actions.stop(running.id),
  })
  const estimate = useCommand({
    id: 'sqllab.cost',
    label: t('sqllab.cost', 'Estimate cost'),
    icon: 'number',
    ...(off && { disabledReason: off }),
    run: () => openDialog({ name: 'cost', tabId: tab.id, sql: readRunnableText(lab, tab).text }),
  })

  const createAs = (method: 'TABLE' | 'VIEW', label: string): MenuItem => ({
    label,
    disabledReason: off,
    onSelect: () => {
      const { text, from } = readRunnableText(lab, tab)
      openDialog({ name: 'createAs', tabId: tab.id, sql: text, from, method })
    },
  })
  return { runChosen, runLabels, runAll, stop, estimate, createAs }
}
