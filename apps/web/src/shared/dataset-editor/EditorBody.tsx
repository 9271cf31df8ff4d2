import { Button, IconButton, StatusChip, Banner, Tabs, useCommand, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { boot } from '../boot.ts'
import { SheetTab } from './SheetTab.tsx'
import type { DocumentProblem } from './document.ts'
import { OverviewTab } from './OverviewTab.tsx'
import { ConfirmSaveDialog, DatasetConflictDialog, SaveErrorDialog } from './SaveDialogs.tsx'
import { SettingsTab } from './SettingsTab.tsx'
import { SourceTab } from './SourceTab.tsx'
import { SyncDialog } from './SyncDialog.tsx'
import { UsageTab } from './UsageTab.tsx'
import type { DatasetEditorState } from './use-dataset-editor.ts'
import styles from './editor.module.css'

export const editorTabs = ['overview', 'columns', 'metrics', 'source', 'usage', 'settings'] as const
export type EditorTab = (typeof editorTabs)[number]

/** Save, undo and the state of the draft: for a page header or a drawer footer. */
export function EditorActions({ editing }: { editing: DatasetEditorState }) {
  const t = useTranslate()
  const { draft, change, dirty, readOnly, problems, saving } = editing
  const [isConfirming, setConfirming] = useState(false)
  const reason =
    readOnly ??
    (problems.length > 0
      ? t(
          'dataset.problems',
          '{n, plural, one {Fix # invalid value before saving} other {Fix # invalid values before saving}}',
          {
            n: problems.length,
          },
        )
      : dirty
        ? undefined
        : t('dataset.unchanged', 'No changes to save'))
  const undo = useCommand({
    id: 'dataset.undo',
    label: t('dataset.undo', 'Undo'),
    shortcut: 'Mod+Z',
    icon: 'undo',
    ...(draft.past.length === 0 && { disabledReason: t('dataset.undo.none', 'Nothing to undo') }),
    run: () => change({ type: 'undo' }),
  })
  const redo = useCommand({
    id: 'dataset.redo',
    label: t('dataset.redo', 'Redo'),
    shortcut: 'Mod+Shift+Z',
    icon: 'redo',
    ...(draft.future.length === 0 && { disabledReason: t('dataset.redo.none', 'Nothing to redo') }),
    run: () => change({ type: 'redo' }),
  })
  const save = useCommand({
    id: 'dataset.save',
    label: t('dataset.save', 'Save'),
    shortcut: 'Mod+S',
    icon: 'save',
    everywhere: true,
    ...(reason !== undefined && { disabledReason: reason }),
    run: () => !saving.isSaving && setConfirming(true),
  })
  return (
    <>
      {dirty && <StatusChip tone="warning">{t('dataset.dirty', 'Unsaved changes')}</StatusChip>}
      {readOnly === undefined && (
        <>
          <IconButton command={undo} icon="undo" label={undo.label} />
          <IconButton command={redo} icon="redo" label={redo.label} />
        </>
      )}
      <Button variant="primary" busy={saving.isSaving} disabledReason={reason} onClick={() => setConfirming(true)}>
        {save.label}
      </Button>
      {isConfirming && (
        <ConfirmSaveDialog
          datasetId={editing.detail.id}
          draft={draft}
          usage={editing.usage}
          isSaving={saving.isSaving}
          onClose={() => setConfirming(false)}
          onSave={(carry) => void saving.save(draft, carry).finally(() => setConfirming(false))}
        />
      )}
      {saving.error !== null && <SaveErrorDialog error={saving.error} onClose={saving.closeError} />}
      {saving.conflict && (
        <DatasetConflictDialog
          draft={draft}
          theirs={saving.conflict}
          onMine={editing.mergeMine}
          onTheirs={editing.takeTheirs}
          onClose={saving.closeConflict}
        />
      )}
    </>
  )
}

export interface EditorBodyProps {
  editing: DatasetEditorState
  tab: EditorTab
  onTab(tab: EditorTab): void
}

/** The sections of a dataset as tabs. */
export function EditorBody({ editing, tab, onTab }: EditorBodyProps) {
  const t = useTranslate()
  const { draft, change, detail, readOnly, problems } = editing
  const { base, now } = draft
  const [opened, setOpened] = useState<string | null>(null)
  const [isSyncing, setSyncing] = useState(false)
  const problemLabel = (problem: DocumentProblem['problem']): string =>
    ({
      empty: t('dataset.problem.empty', 'Enter a name'),
      twice: t('dataset.problem.twice', 'This name is already used'),
      expression: t('dataset.problem.expression', 'Enter a SQL expression'),
      number: t('dataset.problem.number', 'Enter a whole number'),
      json: t('dataset.problem.json', 'Enter a JSON object'),
      object: t('dataset.problem.json', 'Enter a JSON object'),
      address: t('dataset.problem.address', 'Enter a path on this server, such as /explore/'),
    })[problem]
  const errorOf = (field: string): string | undefined => {
    const found = problems.find((each) => each.field === field && each.key === undefined)
    return found && problemLabel(found.problem)
  }
  const problemTextOf = (key: string): string | undefined => {
    const found = problems.find((each) => each.key === key)
    return found && problemLabel(found.problem)
  }
  const mark = (kind: string) => {
    const { length } = problems.filter(({ field }) => field === kind)
    return length > 0 ? (
      <StatusChip tone="danger" icon="warning">
        {length}
      </StatusChip>
    ) : null
  }
  const isSourceClosed = readOnly !== undefined || boot.common.feature_flags['DISABLE_DATASET_SOURCE_EDIT'] === true
  const isSourceChanged = (['sql', 'schema', 'catalog', 'database_id'] as const).some(
    (field) => base[field] !== now[field],
  )
  return (
    <div className={styles.editor}>
      {detail.is_managed_externally && (
        <Banner inline>
          {readOnly}{' '}
          {detail.external_url && /^https?:/.test(detail.external_url) && (
            <a href={detail.external_url} target="_blank" rel="noreferrer">
              {t('dataset.managedAt', 'Open external source')}
            </a>
          )}
        </Banner>
      )}
      {readOnly !== undefined && !detail.is_managed_externally && <Banner inline>{readOnly}</Banner>}
      {editing.isRestored && (
        <Banner inline action={<Button onClick={editing.discard}>{t('dataset.discard', 'Discard')}</Button>}>
          {t('dataset.restored', 'Your unsaved changes were restored.')}
        </Banner>
      )}
      <Tabs<EditorTab>
        label={t('dataset.parts', 'Dataset sections')}
        value={tab}
        onChange={(next) => {
          setOpened(null)
          onTab(next)
        }}
        tabs={[
          { value: 'overview', label: t('dataset.tab.overview', 'Overview') },
          {
            value: 'columns',
            label: t('dataset.tab.columns', 'Columns {n}', { n: now.columns.length }),
            mark: mark('columns'),
          },
          {
            value: 'metrics',
            label: t('dataset.tab.metrics', 'Metrics {n}', { n: now.metrics.length }),
            mark: mark('metrics'),
          },
          { value: 'source', label: t('dataset.tab.source', 'Source') },
          { value: 'usage', label: t('dataset.tab.usage', 'Usage') },
          { value: 'settings', label: t('dataset.tab.settings', 'Settings') },
        ]}
      >
        {tab === 'overview' && (
          <OverviewTab
            document={now}
            profile={editing.profile}
            onOpen={(key) => {
              onTab('columns')
              setOpened(key)
            }}
          />
        )}
        {(tab === 'columns' || tab === 'metrics') && (
          <SheetTab
            key={tab}
            kind={tab}
            editing={editing}
            opened={opened}
            onOpened={setOpened}
            problemText={problemTextOf}
            onSync={() => setSyncing(true)}
          />
        )}
        {tab === 'source' && (
          <SourceTab
            document={now}
            databaseName={detail.database.database_name}
            backend={detail.database.backend}
            readOnly={isSourceClosed}
            isChanged={isSourceChanged}
            errorOf={errorOf}
            onSet={(fields) => change({ type: 'set', fields })}
            onSync={() => setSyncing(true)}
          />
        )}
        {tab === 'usage' && (
          <UsageTab usage={editing.usage} error={editing.usageError} onRetry={editing.refreshUsage} />
        )}
        {tab === 'settings' && (
          <SettingsTab
            id={detail.id}
            document={now}
            readOnly={readOnly !== undefined}
            errorOf={errorOf}
            onSet={(fields) => change({ type: 'set', fields })}
          />
        )}
      </Tabs>
      {isSyncing && (
        <SyncDialog
          document={now}
          usage={editing.usage}
          onApply={(document) => change({ type: 'replace', document })}
          onClose={() => setSyncing(false)}
        />
      )}
    </div>
  )
}
