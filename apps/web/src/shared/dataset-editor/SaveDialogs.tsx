import type { DatasetUsage } from '@parquetry/model'
import { Button, Checkbox, Dialog, ErrorPanel, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { checkExpression } from '../sql-field/use-expression-check.ts'
import { listChangedExpressions } from './changed-expressions.ts'
import { findRemovedNames, findRenames } from './document.ts'
import { isDatasetDirty, type DatasetDraft } from './draft.ts'
import { diffDocuments } from './merge.ts'
import type { SaveConflict } from './use-dataset-save.ts'
import { findDependents, DependentsList, type Dependents } from './DependentsList.tsx'
import styles from './editor.module.css'

export interface ConfirmSaveDialogProps {
  datasetId: number
  draft: DatasetDraft
  usage: DatasetUsage | undefined
  isSaving: boolean
  onSave(carry: boolean): void
  onClose(): void
}

interface AffectedItem {
  kind: 'columns' | 'metrics'
  before: string
  /** Null when it is removed. */
  after: string | null
  users: Dependents
}

/** Renamed and removed columns and metrics that are in use. */
function findAffected({ base, now }: DatasetDraft, usage: DatasetUsage): AffectedItem[] {
  return (['columns', 'metrics'] as const)
    .flatMap((kind) => [
      ...[...findRenames(base[kind], now[kind])].map(([before, after]) => ({ kind, before, after })),
      ...findRemovedNames(base[kind], now[kind]).map((before) => ({ kind, before, after: null })),
    ])
    .map((each) => ({ ...each, users: findDependents(usage, each.kind, each.before) }))
    .filter(({ users }) => users.items.length + users.hidden > 0)
}

/** Errors of the database for the expressions that a draft changes, by name. Expressions that cannot be checked have none. */
function useRejectedExpressions(
  id: number,
  draft: DatasetDraft,
): { isChecking: boolean; rejected: [string, string][] } {
  const changed = listChangedExpressions(draft)
  const { data = [], isFetching } = useQuery({
    queryKey: ['dataset-expressions', id, changed],
    queryFn: async ({ signal }) => {
      const problems = await Promise.all(
        changed.map((each) => checkExpression({ id, type: 'table' }, each, signal).catch(() => null)),
      )
      return problems.flatMap((problem, index): [string, string][] =>
        problem ? [[changed[index]?.name ?? '', problem.message]] : [],
      )
    },
    enabled: changed.length > 0,
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return { isChecking: isFetching, rejected: data }
}

/** DSET-038: shows which charts and filters a change affects before it is saved, and what it breaks. */
export function ConfirmSaveDialog({ datasetId, draft, usage, isSaving, onSave, onClose }: ConfirmSaveDialogProps) {
  const t = useTranslate()
  const { isChecking, rejected } = useRejectedExpressions(datasetId, draft)
  const [carry, setCarry] = useState(true)
  const affected = usage ? findAffected(draft, usage) : []
  const renamed = affected.filter(({ after }) => after !== null)
  const mine = new Set(
    renamed.flatMap(({ users }) =>
      users.items.filter(({ mayEdit, bySql }) => mayEdit && !bySql).map(({ kind, id }) => `${kind} ${id}`),
    ),
  )
  const save = () => onSave(carry && mine.size > 0)
  // Confirmed while the expressions are checked: it is saved as soon as none is rejected.
  const isConfirmed = useRef(false)
  const confirmed = useEffectEvent(() => {
    if (isConfirmed.current && rejected.length === 0) save()
    isConfirmed.current = false
  })
  useEffect(() => {
    if (!isChecking) confirmed()
  }, [isChecking])
  const theirs = renamed.flatMap(({ users }) => users.items.filter(({ mayEdit, bySql }) => !mayEdit || bySql))
  const removed = affected.filter(({ after }) => after === null)
  const charts = (usage?.charts.length ?? 0) + (usage?.hidden.charts ?? 0)
  const dashboards = usage?.dashboards.length ?? 0
  const reach = !usage
    ? t('dataset.reachUnknown', 'The affected charts and dashboards have not loaded yet.')
    : charts + dashboards === 0
      ? t('dataset.reachNone', 'No charts or dashboards use this dataset yet.')
      : t(
          'dataset.reach',
          'Changes to this dataset affect {charts, plural, one {# chart} other {# charts}} on {dashboards, plural, one {# dashboard} other {# dashboards}}.',
          { charts, dashboards },
        )
  return (
    <Dialog
      open
      role="alertdialog"
      width={affected.length > 0 ? 720 : 480}
      title={t('dataset.confirm', 'Confirm save')}
      description={reach}
      onClose={onClose}
      onSubmit={() => {
        if (isChecking) isConfirmed.current = true
        else if (!isSaving) save()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('dataset.cancel', 'Cancel')}</Button>
          <Button
            type="submit"
            variant={removed.length + rejected.length > 0 ? 'danger' : 'primary'}
            busy={isSaving}
            data-autofocus
          >
            {rejected.length > 0 ? t('dataset.saveAnyway', 'Save anyway') : t('dataset.save', 'Save')}
          </Button>
        </>
      }
    >
      {rejected.map(([name, problem]) => (
        <ErrorPanel
          key={name}
          inline
          title={t('dataset.expressionRejected', 'The database rejects the expression of {name}', { name })}
          details={problem}
        />
      ))}
      {affected.map(({ kind, before, after, users }) => (
        <section key={`${kind} ${before}`} className={styles.affected}>
          <h3>
            {after === null
              ? t('dataset.isRemoved', '{name} will be removed', { name: before })
              : t('dataset.isRenamed', '{before} will be renamed to {after}', { before, after })}
          </h3>
          <DependentsList users={users} />
        </section>
      ))}
      {mine.size > 0 && (
        <Checkbox
          checked={carry}
          onChange={setCarry}
          label={t(
            'dataset.carry',
            'Update the names in {n, plural, one {# chart or filter you can edit} other {# charts and filters you can edit}}',
            {
              n: mine.size,
            },
          )}
        />
      )}
      {theirs.length > 0 && (
        <p className={styles.whose}>
          {t(
            'dataset.notCarried',
            'Charts and filters you can’t edit, and custom SQL, keep the old names and stop working until they are updated.',
          )}
        </p>
      )}
    </Dialog>
  )
}

/** DSET-043 */
export function SaveErrorDialog({ error, onClose }: { error: string; onClose(): void }) {
  const t = useTranslate()
  return (
    <Dialog
      open
      role="alertdialog"
      title={t('dataset.error', 'Error')}
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose} data-autofocus>
          {t('dataset.back', 'Back to editing')}
        </Button>
      }
    >
      <p className={styles.said}>{error}</p>
    </Dialog>
  )
}

export interface DatasetConflictDialogProps {
  draft: DatasetDraft
  theirs: SaveConflict
  onMine(): void
  onTheirs(): void
  onClose(): void
}

const maxDifferences = 100

/** Another user saved in the meantime: shows the differences, field by field. */
export function DatasetConflictDialog({ draft, theirs, onMine, onTheirs, onClose }: DatasetConflictDialogProps) {
  const t = useTranslate()
  const found = isDatasetDirty(draft) ? diffDocuments(draft.now, theirs.document) : []
  return (
    <Dialog
      open
      role="alertdialog"
      width={960}
      title={t('dataset.conflict', 'This dataset has changed')}
      description={t(
        'dataset.conflictBy',
        '{who} saved it while you were editing. Merging applies your changes to their version and keeps what only they changed.',
        {
          who: theirs.who || t('dataset.somebody', 'Another user'),
        },
      )}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onTheirs}>{t('dataset.takeTheirs', 'Keep theirs')}</Button>
          <Button variant="primary" onClick={onMine}>
            {t('dataset.keepMine', 'Merge my changes')}
          </Button>
        </>
      }
    >
      <table className={styles.table}>
        <thead>
          <tr>
            <th scope="col">{t('dataset.part', 'Field')}</th>
            <th scope="col">{t('dataset.yours', 'Mine')}</th>
            <th scope="col">{t('dataset.theirs', 'Theirs')}</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, maxDifferences).map((each, index) => (
            <tr key={index}>
              <th scope="row">
                {each.of} <code>{each.field}</code>
              </th>
              <td>{each.mine}</td>
              <td>{each.theirs}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Dialog>
  )
}
