import { Button, confirm, TextInput, useTranslate } from '@parquetry/ui'
import { useRef, useState } from 'react'
import { columnIcon } from '../column-icon.ts'
import { identifierQuote } from '../sql-field/identifier-quote.ts'
import type { SqlName } from '../sql-field/sql-completions.ts'
import { ColumnOrMetricDetails } from './ColumnOrMetricDetails.tsx'
import {
  type ColumnOrMetric,
  type SheetKind,
  type DatasetDocument,
  type EditedColumn,
  findFreeName,
  nameOf,
  newColumn,
  newMetric,
} from './document.ts'
import { Sheet } from './Sheet.tsx'
import { buildColumnSheet, buildMetricSheet } from './sheet-columns.ts'
import type { SheetColumn } from './sheet.ts'
import type { DatasetEditorState } from './use-dataset-editor.ts'
import { findDependents } from './DependentsList.tsx'
import styles from './editor.module.css'

export interface SheetTabProps {
  kind: SheetKind
  editing: DatasetEditorState
  /** Key of the opened row. */
  opened: string | null
  onOpened(key: string | null): void
  problemText(key: string): string | undefined
  onSync(): void
}

/** Names that SQL over a dataset may use: the columns of its source. */
export const listSourceColumns = ({ columns }: DatasetDocument): SqlName[] =>
  columns
    .filter(({ isCalculated }) => !isCalculated)
    .map((column) => ({
      name: column.column_name,
      words: column.verbose_name,
      icon: columnIcon(column),
      note: column.type.toLowerCase(),
    }))

/** Columns or metrics as a sheet, with the details of the current one beside it. */
export function SheetTab({ kind, editing, opened, onOpened, problemText, onSync }: SheetTabProps) {
  const t = useTranslate()
  const { draft, change, readOnly, usage, profile, detail } = editing
  const [search, setSearch] = useState('')
  const [currentKey, setCurrentKey] = useState<string | null>(opened)
  const isMetrics = kind === 'metrics'
  const all = draft.now[kind] as readonly ColumnOrMetric[]
  const wanted = search.trim().toLowerCase()
  const rows = all.filter((child) =>
    [nameOf(child), child.verbose_name, child.folder].some((text) => text.toLowerCase().includes(wanted)),
  )
  const columns = (isMetrics
    ? buildMetricSheet(t)
    : buildColumnSheet(t, draft.now)) as unknown as SheetColumn<ColumnOrMetric>[]
  const found = rows.findIndex(({ key }) => key === currentKey)
  const current = found < 0 ? 0 : found
  const child = opened === null ? undefined : (rows[found < 0 ? -1 : found] ?? all.find(({ key }) => key === opened))

  const panes = useRef<HTMLDivElement>(null)
  const close = (): void => {
    onOpened(null)
    panes.current?.querySelector<HTMLElement>('[role="grid"]')?.focus()
  }
  const choose = (row: number): void => {
    const key = rows[row]?.key ?? null
    setCurrentKey(key)
    if (opened !== null && key !== null) onOpened(key)
  }
  const add = (): void => {
    const names = all.map(nameOf)
    const added = isMetrics ? newMetric(findFreeName('metric', names)) : newColumn(findFreeName('calculated', names))
    change({ type: 'children', kind, children: [added, ...all] })
    setSearch('')
    setCurrentKey(added.key)
    onOpened(added.key)
  }
  const remove = async (removed: readonly ColumnOrMetric[]): Promise<void> => {
    const users = removed.flatMap((one) => {
      const before = (draft.base[kind] as readonly ColumnOrMetric[]).find(({ key }) => key === one.key)
      if (!usage || !before) return []
      const { items: named, hidden } = findDependents(usage, kind, nameOf(before))
      return [...named.map(({ name }) => name), ...Array.from({ length: hidden }, () => '?')]
    })
    const names = [...new Set(users)]
    const yes =
      names.length === 0 ||
      (await confirm({
        title: isMetrics
          ? t('dataset.metric.removeTitle', 'Remove {n, plural, one {# metric} other {# metrics}}?', {
              n: removed.length,
            })
          : t('dataset.column.removeTitle', 'Remove {n, plural, one {# column} other {# columns}}?', {
              n: removed.length,
            }),
        body: t(
          'dataset.remove.breaks',
          '{n, plural, one {This will break # chart or filter} other {This will break # charts and filters}}: {names}',
          {
            n: users.length,
            names: names
              .filter((name) => name !== '?')
              .slice(0, 8)
              .join(', '),
          },
        ),
        action: isMetrics
          ? t('dataset.metric.removeAction', 'Remove {n, plural, one {# metric} other {# metrics}}', {
              n: removed.length,
            })
          : t('dataset.column.removeAction', 'Remove {n, plural, one {# column} other {# columns}}', {
              n: removed.length,
            }),
      }))
    if (!yes) return
    if (opened !== null) close()
    change({ type: 'children', kind, children: all.filter((one) => !removed.includes(one)) })
  }

  return (
    <div className={styles.tab}>
      <div className={styles.tools}>
        <TextInput
          icon="search"
          className={styles.search}
          aria-label={
            isMetrics ? t('dataset.metric.find', 'Search metrics') : t('dataset.column.find', 'Search columns')
          }
          placeholder={
            isMetrics ? t('dataset.metric.find', 'Search metrics') : t('dataset.column.find', 'Search columns')
          }
          value={search}
          onChange={setSearch}
          clearable
        />
        <p className={styles.keys}>
          {t('dataset.sheet.keys', 'Type to edit, or paste cells. Alt+Enter opens details, Ctrl+D fills down.')}
        </p>
        {!isMetrics && (
          <Button icon="refresh" onClick={onSync} disabledReason={readOnly}>
            {t('dataset.sync.short', 'Sync from source')}
          </Button>
        )}
        <Button icon="plus" onClick={add} disabledReason={readOnly}>
          {isMetrics ? t('dataset.metric.add', 'Add metric') : t('dataset.column.add', 'Add calculated column')}
        </Button>
      </div>
      <div ref={panes} className={styles.panes}>
        <Sheet<ColumnOrMetric>
          label={isMetrics ? t('dataset.metrics', 'Metrics') : t('dataset.columns', 'Columns')}
          columns={columns}
          rows={rows}
          keyOf={({ key }) => key}
          current={current}
          onCurrent={choose}
          onOpen={(row) => {
            const key = rows[row]?.key ?? null
            setCurrentKey(key)
            onOpened(key)
          }}
          onWrite={(written) =>
            change({
              type: 'cells',
              kind,
              edits: written.flatMap(({ row, column, value }) => {
                const at = rows[row]
                const spec = columns[column]
                return at && spec ? [{ key: at.key, field: spec.id, value }] : []
              }),
            })
          }
          onRemove={readOnly === undefined ? (from, to) => void remove(rows.slice(from, to + 1)) : undefined}
          problemOf={({ key }) => problemText(key)}
          readOnly={readOnly !== undefined}
        />
        {child && (
          <ColumnOrMetricDetails
            key={child.key}
            datasetId={detail.id}
            names={listSourceColumns(draft.now)}
            quote={identifierQuote(detail.database.backend)}
            kind={kind}
            child={child}
            problem={problemText(child.key)}
            usage={usage}
            profile={
              isMetrics
                ? undefined
                : profile.data?.columns.find(({ column_name }) => column_name === (child as EditedColumn).column_name)
            }
            rowCount={profile.data?.row_count ?? 0}
            isNameFixed={!isMetrics && !(child as EditedColumn).isCalculated && draft.now.sql === null}
            readOnly={readOnly}
            onEdit={(edits) =>
              change({ type: 'cells', kind, edits, place: `${child.key} ${edits.map(({ field }) => field).join()}` })
            }
            onRemove={() => void remove([child])}
            onClose={close}
          />
        )}
      </div>
    </div>
  )
}
