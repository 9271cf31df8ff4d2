import type { UploadedTable } from '@parquetry/model'
import {
  Button,
  confirm,
  Dialog,
  EmptyState,
  ErrorPanel,
  Field,
  Icon,
  IconButton,
  Link,
  TextInput,
  toast,
  toastError,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import { canUploadAny } from '../shared/upload.ts'
import { formatFileSize } from '../shared/format-file-size.ts'
import styles from './pages.module.css'

/** The user's tables from files and queries, to rename and to remove. */
export function UploadedTables() {
  const t = useTranslate()
  const refresh = useRefresh()
  const [renamed, setRenamed] = useState<UploadedTable | null>(null)
  const tables = useQuery({
    queryKey: ['upload', 'tables'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/upload/tables/', { signal })).result,
  })
  if (tables.error)
    return (
      <ErrorPanel inline onRetry={() => void tables.refetch()}>
        {messageOf(tables.error)}
      </ErrorPanel>
    )
  if (!tables.data) return null
  if (tables.data.length === 0)
    return canUploadAny ? null : (
      <EmptyState title={t('upload.tables.none', 'No tables yet')}>
        {t('upload.tables.noneText', 'Tables that you create in SQL Lab are listed here.')}
      </EmptyState>
    )

  const remove = async ({ database_id, table_name, charts }: UploadedTable): Promise<void> => {
    const isConfirmed = await confirm({
      title: t('upload.tables.removeTitle', 'Remove table {name}?', { name: table_name }),
      body: t(
        'upload.tables.removeText',
        '{count, plural, =0 {Its rows are deleted for good.} one {Its rows are deleted for good, and # chart will show no data.} other {Its rows are deleted for good, and # charts will show no data.}} The dataset goes to the trash.',
        { count: charts },
      ),
      action: t('upload.tables.removeAction', 'Remove table'),
    })
    if (!isConfirmed) return
    try {
      await api.del('/api/v1/upload/table/', { query: { database: database_id, table_name } })
      toast(t('upload.tables.removed', 'Table {name} removed', { name: table_name }))
    } catch (error) {
      toastError(messageOf(error))
    }
    refresh()
  }
  return (
    <section className={styles.datasets}>
      <h2>{t('upload.tables', 'Your tables from files and queries')}</h2>
      <ul>
        {tables.data.map((table) => {
          const { database_id, database_name, table_name, dataset_id, size, charts } = table
          return (
            <li key={`${database_id} ${table_name}`} className={styles.table}>
              <Icon name="table" />
              {dataset_id === null ? (
                <span className={styles.datasetName}>{table_name}</span>
              ) : (
                <Link href={`/dataset/${dataset_id}`} className={styles.datasetName}>
                  {table_name}
                </Link>
              )}
              <span>{database_name}</span>
              <span>{size === null ? '' : formatFileSize(size)}</span>
              <span>
                {t('upload.tables.charts', '{count, plural, one {# chart} other {# charts}}', { count: charts })}
              </span>
              <span className={styles.actions}>
                <IconButton
                  icon="edit"
                  label={t('upload.tables.rename', 'Rename table {name}', { name: table_name })}
                  onClick={() => setRenamed(table)}
                />
                <IconButton
                  icon="trash"
                  label={t('upload.tables.remove', 'Remove table {name}', { name: table_name })}
                  onClick={() => void remove(table)}
                />
              </span>
            </li>
          )
        })}
      </ul>
      {renamed && <RenameDialog table={renamed} onClose={() => setRenamed(null)} />}
    </section>
  )
}

/** Reloads everything that names tables. */
function useRefresh(): () => void {
  const queries = useQueryClient()
  return () => {
    for (const kind of ['upload', 'dataset', 'database', 'sqllab', 'chart'])
      void queries.invalidateQueries({ queryKey: [kind] })
  }
}

function RenameDialog({ table, onClose }: { table: UploadedTable; onClose(): void }) {
  const t = useTranslate()
  const refresh = useRefresh()
  const [name, setName] = useState(table.table_name)
  const new_name = name.trim()
  const rename = useMutation({
    mutationFn: () =>
      api.put('/api/v1/upload/table/', {
        body: { database: table.database_id, table_name: table.table_name, new_name },
      }),
    onSuccess: () => {
      toast(t('upload.tables.renamed', 'Table renamed to {name}', { name: new_name }))
      refresh()
      onClose()
    },
  })
  const missing = new_name === '' ? t('upload.missing.name', 'Enter a table name') : undefined
  return (
    <Dialog
      open
      title={t('upload.tables.rename', 'Rename table {name}', { name: table.table_name })}
      description={t(
        'upload.tables.renameText',
        'Its dataset and charts follow. Queries that name the table have to be changed by hand.',
      )}
      onClose={onClose}
      onSubmit={() => missing === undefined && rename.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('upload.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={rename.isPending} disabledReason={missing}>
            {t('upload.tables.renameAction', 'Rename')}
          </Button>
        </>
      }
    >
      <Field label={t('upload.name', 'Table name')} {...(rename.error && { error: messageOf(rename.error) })}>
        <TextInput value={name} onChange={setName} maxLength={120} data-autofocus />
      </Field>
    </Dialog>
  )
}
