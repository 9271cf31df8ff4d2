import type { DatasetUsage, SourceColumn } from '@parquetry/model'
import { Button, Dialog, ErrorPanel, Select, Skeleton, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { messageOf } from '../errors.ts'
import type { DatasetDocument } from './document.ts'
import { diffSource, hasUserMetadata, applySync, type RemovedColumnAction, type SourceDiff } from './sync.ts'
import { findDependents } from './DependentsList.tsx'
import styles from './editor.module.css'

/** Fetches the current source columns of a document, saved or not. */
export const fetchSourceColumns = async (
  { database_id, catalog, schema, table_name, sql }: DatasetDocument,
  signal: AbortSignal,
): Promise<SourceColumn[]> =>
  (
    await api.post('/api/v1/dataset/source_columns', {
      body: { database_id, catalog: catalog || null, schema: schema || null, table_name, sql },
      signal,
    })
  ).result

export interface SyncDialogProps {
  document: DatasetDocument
  usage: DatasetUsage | undefined
  onApply(document: DatasetDocument): void
  onClose(): void
}

/** Compares the columns of the source and the dataset; nothing changes before the user applies it, and applying can be undone. */
export function SyncDialog({ document, usage, onApply, onClose }: SyncDialogProps) {
  const t = useTranslate()
  const [removalActions, setRemovalActions] = useState<ReadonlyMap<string, RemovedColumnAction>>(new Map())
  const source = useQuery({
    queryKey: ['dataset', 'source', document.database_id, document.schema, document.table_name, document.sql],
    queryFn: ({ signal }) => fetchSourceColumns(document, signal),
    retry: false,
    gcTime: 0,
  })
  const diff = source.data && diffSource(document, source.data)
  const isUsed = (name: string) => {
    const users = usage && findDependents(usage, 'columns', name)
    return users !== undefined && users.items.length + users.hidden > 0
  }
  const actionOf = (column: DatasetDocument['columns'][number]): RemovedColumnAction =>
    removalActions.get(column.key) ??
    (hasUserMetadata(column) || isUsed(column.column_name) ? { kind: 'keep' } : { kind: 'remove' })
  const isEmpty = diff && diff.added.length + diff.removed.length + diff.changed.length === 0
  return (
    <Dialog
      open
      width={720}
      title={t('dataset.sync', 'Sync columns from source')}
      onClose={onClose}
      onSubmit={() => {
        if (diff && !isEmpty) onApply(applySync(document, diff, actionOf))
        if (diff) onClose()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('dataset.cancel', 'Cancel')}</Button>
          <Button
            type="submit"
            variant="primary"
            disabledReason={isEmpty === false ? undefined : t('dataset.sync.nothing', 'No changes to apply')}
          >
            {t('dataset.sync.apply', 'Apply changes')}
          </Button>
        </>
      }
    >
      {source.error ? (
        <ErrorPanel inline onRetry={() => void source.refetch()}>
          {messageOf(source.error)}
        </ErrorPanel>
      ) : !diff ? (
        <Skeleton height={96} />
      ) : isEmpty ? (
        <p>{t('dataset.sync.same', 'The columns of the dataset match its source.')}</p>
      ) : (
        <Differences
          diff={diff}
          fateOf={actionOf}
          isUsed={isUsed}
          onFate={(key, action) => setRemovalActions(new Map(removalActions).set(key, action))}
        />
      )}
    </Dialog>
  )
}

interface DifferencesProps {
  diff: SourceDiff
  fateOf(column: DatasetDocument['columns'][number]): RemovedColumnAction
  isUsed(name: string): boolean
  onFate(key: string, action: RemovedColumnAction): void
}

function Differences({ diff: { added, removed, changed }, fateOf, isUsed, onFate }: DifferencesProps) {
  const t = useTranslate()
  return (
    <div className={styles.diff}>
      {added.length > 0 && (
        <section>
          <h3>
            {t('dataset.sync.added', '{n, plural, one {# new column} other {# new columns}}', { n: added.length })}
          </h3>
          <ul>
            {added.map(({ name, type }) => (
              <li key={name} data-sign="+">
                <code>{name}</code> <span className={styles.whose}>{type}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {changed.length > 0 && (
        <section>
          <h3>
            {t(
              'dataset.sync.changed',
              '{n, plural, one {# column with a new type} other {# columns with a new type}}',
              {
                n: changed.length,
              },
            )}
          </h3>
          <ul>
            {changed.map(({ column, now }) => (
              <li key={column.key} data-sign="~">
                <code>{column.column_name}</code>{' '}
                <span className={styles.whose}>
                  {column.type || '?'} → {now.type}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {removed.length > 0 && (
        <section>
          <h3>
            {t(
              'dataset.sync.gone',
              '{n, plural, one {# column no longer in the source} other {# columns no longer in the source}}',
              {
                n: removed.length,
              },
            )}
          </h3>
          <ul>
            {removed.map((column) => {
              const action = fateOf(column)
              const why = [
                ...(hasUserMetadata(column) ? [t('dataset.sync.described', 'customized')] : []),
                ...(isUsed(column.column_name) ? [t('dataset.sync.used', 'in use')] : []),
              ]
              return (
                <li key={column.key} data-sign="−">
                  <code>{column.column_name}</code> <span className={styles.whose}>{why.join(', ')}</span>
                  <Select<string>
                    compact
                    aria-label={t('dataset.sync.fate', 'Action for {name}', { name: column.column_name })}
                    value={action.kind === 'move' ? `move ${action.to}` : action.kind}
                    options={[
                      { value: 'keep', label: t('dataset.sync.keep', 'Keep') },
                      { value: 'remove', label: t('dataset.sync.remove', 'Remove') },
                      ...added.map(({ name }) => ({
                        value: `move ${name}`,
                        label: t('dataset.sync.move', 'Renamed to {name}', { name }),
                      })),
                    ]}
                    onChange={(value) =>
                      onFate(
                        column.key,
                        value?.startsWith('move ')
                          ? { kind: 'move', to: value.slice(5) }
                          : { kind: value === 'remove' ? 'remove' : 'keep' },
                      )
                    }
                  />
                </li>
              )
            })}
          </ul>
        </section>
      )}
    </div>
  )
}
