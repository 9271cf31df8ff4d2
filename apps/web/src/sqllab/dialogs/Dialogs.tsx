import { ScheduleDialog } from '../../shared/query-schedule/ScheduleDialog.tsx'
import { SaveDatasetDialog } from '../../shared/SaveDatasetDialog.tsx'
import type { TabConflict } from '../persistence/merge.ts'
import type { Lab } from '../lab.ts'
import type { SqlLabActions } from '../actions.ts'
import { TabConflictDialog } from './TabConflictDialog.tsx'
import { CostDialog } from './CostDialog.tsx'
import { CreateAsDialog } from './CreateAsDialog.tsx'
import type { SqlLabDialog } from './sql-lab-dialog.ts'
import { LimitDialog } from './LimitDialog.tsx'
import { RenameDialog } from './RenameDialog.tsx'
import { SaveQueryDialog } from './SaveQueryDialog.tsx'
import { scheduleQuery } from './save-query.ts'

export interface DialogsProps {
  lab: Lab
  dialog: SqlLabDialog | null
  conflict: TabConflict | null
  actions: SqlLabActions
  onClose(): void
}

/** The dialogs of SQL Lab, loaded when the first one opens. */
export function Dialogs({ lab, dialog, conflict, actions, onClose }: DialogsProps) {
  if (conflict) return <TabConflictDialog key={conflict.tabId} lab={lab} conflict={conflict} />
  if (!dialog) return null
  if (dialog.name === 'dataset')
    return (
      <SaveDatasetDialog
        onClose={onClose}
        source={() => ({ database: dialog.dbId, schema: dialog.schema, sql: dialog.sql })}
      />
    )
  const tab = lab.store.getState().queryEditors.find(({ id }) => id === dialog.tabId)
  if (!tab) return null
  switch (dialog.name) {
    case 'rename':
      return <RenameDialog tab={tab} onClose={onClose} onName={(name) => actions.change(tab.id, { name })} />
    case 'limit':
      return (
        <LimitDialog tab={tab} onClose={onClose} onLimit={(queryLimit) => actions.change(tab.id, { queryLimit })} />
      )
    case 'save':
      return <SaveQueryDialog lab={lab} tab={tab} onClose={onClose} />
    case 'schedule':
      return (
        <ScheduleDialog
          name={tab.name}
          savedQueryId={tab.remoteId}
          onClose={onClose}
          onSave={(name, info) => scheduleQuery(lab, { ...tab, name, sql: dialog.sql }, info)}
        />
      )
    case 'createAs':
      return (
        <CreateAsDialog
          method={dialog.method}
          onClose={onClose}
          onCreate={(name) =>
            actions.run(tab.id, { sql: dialog.sql, from: dialog.from, ctas: { method: dialog.method, name } })
          }
        />
      )
    case 'cost':
      return <CostDialog tab={tab} sql={dialog.sql} onClose={onClose} />
  }
}
