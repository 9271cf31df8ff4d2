import { Button, Dialog, ErrorPanel, Field, Select, toast, useNavigation, useText } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { usualSchema } from '../../shared/usual-schema.ts'
import { useList } from '../../shared/use-resource.ts'
import styles from '../lists.module.css'

/** A table becomes a dataset: database, schema, table, each with the first guess filled in; then Explore opens. */
export function AddDatasetDialog({ onClose }: { onClose(): void }) {
  const t = useText()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [chosenDatabase, setDatabase] = useState<number | null>(null)
  const [chosenSchema, setSchema] = useState<string | null>(null)
  const [table, setTable] = useState<string | null>(null)

  const databases = useList('database', {
    columns: ['id', 'database_name'],
    order_column: 'database_name',
    order_direction: 'asc',
    page: 0,
    page_size: -1,
  })
  const database = chosenDatabase ?? databases.data?.result[0]?.id ?? null
  const schemas = useQuery({
    queryKey: ['database', database, 'schemas'],
    queryFn: async ({ signal }) =>
      (await api.get('/api/v1/database/:id/schemas/', { params: { id: database ?? -1 }, q: {}, signal })).result,
    enabled: database !== null,
  })
  const schema = chosenSchema ?? usualSchema(schemas.data)
  const tables = useQuery({
    queryKey: ['database', database, 'tables', schema],
    queryFn: async ({ signal }) =>
      (
        await api.get('/api/v1/database/:id/tables/', {
          params: { id: database ?? -1 },
          q: { schema_name: schema ?? '', force: false },
          signal,
        })
      ).result,
    enabled: database !== null && schema !== null,
  })
  const create = useMutation({
    mutationFn: () =>
      api.post('/api/v1/dataset/', { body: { database: database ?? -1, schema, table_name: table ?? '' } }),
    onSuccess: async ({ id }) => {
      await queries.invalidateQueries({ queryKey: ['dataset'] })
      toast(t('lists.datasets.added', 'Dataset {name} added', { name: table }))
      go(`/explore/?datasource_type=table&datasource_id=${id}`)
    },
  })
  const failed = databases.error ?? schemas.error ?? tables.error
  const missing = table === null ? t('lists.datasets.pickTable', 'Choose a table first') : undefined
  return (
    <Dialog
      open
      title={t('lists.datasets.add', 'Add dataset')}
      description={t(
        'lists.datasets.addText',
        'A table becomes a dataset with its columns. The table itself stays as it is.',
      )}
      onClose={onClose}
      onSubmit={() => missing === undefined && create.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabledReason={missing}>
            {t('lists.datasets.addAction', 'Add and make a chart')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {failed && (
          <ErrorPanel inline onRetry={() => void queries.invalidateQueries({ queryKey: ['database'] })}>
            {messageOf(failed)}
          </ErrorPanel>
        )}
        <Field label={t('lists.column.database', 'Database')}>
          <Select
            value={database}
            options={(databases.data?.result ?? []).map(({ id, database_name }) => ({
              value: id,
              label: database_name,
              icon: 'database',
            }))}
            onChange={(value) => {
              setDatabase(value)
              setSchema(null)
              setTable(null)
            }}
          />
        </Field>
        <Field label={t('lists.column.schema', 'Schema')}>
          <Select
            value={schema}
            options={(schemas.data ?? []).map((name) => ({ value: name, label: name }))}
            onChange={(value) => {
              setSchema(value)
              setTable(null)
            }}
          />
        </Field>
        <Field
          label={t('lists.column.table', 'Table')}
          error={
            create.error
              ? t('lists.createFailed', 'An error occurred while creating {nouns}: {message}', {
                  nouns: t('lists.datasets.many', 'datasets'),
                  message: messageOf(create.error),
                })
              : undefined
          }
          help={
            tables.data &&
            t('lists.datasets.tables', '{n, plural, =0 {This schema has no tables} one {# table} other {# tables}}', {
              n: tables.data.length,
            })
          }
        >
          <Select
            value={table}
            data-autofocus
            placeholder={t('lists.datasets.choose', 'Choose a table')}
            options={(tables.data ?? []).map(({ value, type }) => ({
              value,
              label: value,
              icon: 'table',
              ...(type !== 'table' && { note: t('lists.datasets.view', 'view') }),
            }))}
            onChange={(value) => {
              setTable(value)
              create.reset()
            }}
          />
        </Field>
      </div>
    </Dialog>
  )
}
