import {
  Button,
  Dialog,
  ErrorPanel,
  Field,
  Link,
  Select,
  Banner,
  Tabs,
  TextInput,
  toast,
  useNavigation,
  useTranslate,
} from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { hasSqlLab } from '../../shared/rights.ts'
import { identifierQuote } from '../../shared/sql-field/identifier-quote.ts'
import { SqlField } from '../../shared/sql-field/SqlField.tsx'
import { useQueryCheck } from '../../shared/sql-field/use-query-check.ts'
import { useTableNames } from '../../shared/sql-field/use-table-names.ts'
import { useDebounced } from '../../shared/use-debounced.ts'
import { defaultSchema } from '../../shared/default-schema.ts'
import { useList } from '../../shared/use-resource.ts'
import { FirstRows } from './FirstRows.tsx'
import styles from '../lists.module.css'

type From = 'table' | 'sql'

const pageSize = 100

/**
 * Creates a dataset from a table or a query. Database and schema are preselected, and the columns are previewed. The new dataset
 * opens in its editor or in Explore.
 */
export function AddDatasetDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const { go } = useNavigation()
  const queries = useQueryClient()
  const [from, setFrom] = useState<From>('table')
  const [chosenDatabase, setDatabase] = useState<number | null>(null)
  const [chosenSchema, setSchema] = useState<string | null>(null)
  const [table, setTable] = useState<string | null>(null)
  const [name, setName] = useState('')
  const [sql, setSql] = useState('')

  const databases = useList('database', {
    columns: ['id', 'database_name', 'backend', 'expose_in_sqllab', 'disable_data_preview'],
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
  const schema = chosenSchema ?? defaultSchema(schemas.data)
  const namespace = { database_id: database ?? -1, schema, catalog: null }
  const isWriting = from === 'sql' && database !== null
  const fault = useQueryCheck(isWriting ? { ...namespace, sql } : null)
  const names = useTableNames(isWriting ? namespace : null)
  const chosen = databases.data?.result.find(({ id }) => id === database)
  const mayPreview = hasSqlLab && chosen?.expose_in_sqllab === true && !chosen.disable_data_preview
  const tableName = from === 'table' ? (table ?? '') : name.trim()
  const text = useDebounced(from === 'sql' ? sql.trim() : '', 500)
  const existing = useList(
    'dataset',
    {
      columns: ['id', 'table_name', 'schema'],
      filters: [
        { col: 'table_name', opr: 'eq', value: tableName },
        { col: 'database', opr: 'rel_o_m', value: database ?? -1 },
      ],
      page: 0,
      page_size: pageSize,
    },
    tableName !== '' && database !== null,
  )
  const existingDataset =
    tableName === '' ? undefined : existing.data?.result.find((one) => (one.schema ?? '') === (schema ?? ''))
  const isReady = from === 'table' ? table !== null : text !== ''
  const columns = useQuery({
    queryKey: ['dataset', 'source', database, schema, from === 'table' ? table : null, text],
    queryFn: async ({ signal }) =>
      (
        await api.post('/api/v1/dataset/source_columns', {
          body: {
            database_id: database ?? -1,
            schema,
            ...(from === 'table' ? { table_name: table } : { sql: text }),
          },
          signal,
        })
      ).result,
    enabled: isReady && database !== null,
    retry: false,
  })
  const create = useMutation({
    mutationFn: (_then: 'describe' | 'chart') =>
      api.post('/api/v1/dataset/', {
        body: {
          database: database ?? -1,
          schema,
          table_name: tableName,
          filter_select_enabled: true,
          ...(from === 'sql' && { sql: sql.trim() }),
        },
      }),
    onSuccess: async ({ id }, then) => {
      await queries.invalidateQueries({ queryKey: ['dataset'] })
      toast(t('lists.datasets.added', 'Dataset {name} added', { name: tableName }))
      go(then === 'chart' ? `/explore/?datasource_type=table&datasource_id=${id}` : `/dataset/${id}`)
    },
  })
  const failed = databases.error ?? schemas.error
  const isNamespaceReady = schemas.isSuccess || failed !== null || databases.data?.result.length === 0
  const missing =
    existingDataset !== undefined
      ? t('lists.datasets.taken', 'A dataset with this name already exists')
      : from === 'table'
        ? table === null
          ? t('lists.datasets.pickTable', 'Choose a table first')
          : undefined
        : tableName === ''
          ? t('lists.datasets.nameFirst', 'Enter a name')
          : sql.trim() === ''
            ? t('lists.datasets.sqlFirst', 'Enter a query')
            : undefined
  const createError = create.error
    ? t('lists.createFailed', 'An error occurred while creating {nouns}: {message}', {
        nouns: t('lists.datasets.many', 'datasets'),
        message: messageOf(create.error),
      })
    : undefined
  return (
    <Dialog
      open
      title={t('lists.datasets.add', 'Add dataset')}
      description={
        from === 'sql'
          ? t(
              'lists.datasets.addSqlText',
              'Use the result of a query as a dataset. The query runs each time a chart loads its data.',
            )
          : t('lists.datasets.addText', 'Use a table and its columns as a dataset. The table itself doesn’t change.')
      }
      width={720}
      onClose={onClose}
      dirty={sql.trim() !== ''}
      onSubmit={() => missing === undefined && create.mutate('chart')}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button disabledReason={missing} onClick={() => create.mutate('describe')}>
            {t('lists.datasets.addDescribe', 'Add and edit')}
          </Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabledReason={missing}>
            {t('lists.datasets.addAction', 'Add and create chart')}
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
        <Tabs<From>
          label={t('lists.datasets.from', 'Dataset source')}
          value={from}
          onChange={(value) => {
            setFrom(value)
            create.reset()
          }}
          tabs={[
            { value: 'table', label: t('lists.datasets.ofTable', 'From a table') },
            { value: 'sql', label: t('lists.datasets.ofSql', 'From SQL') },
          ]}
        />
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
            options={(schemas.data ?? []).map((each) => ({ value: each, label: each }))}
            onChange={(value) => {
              setSchema(value)
              setTable(null)
            }}
          />
        </Field>
        {from === 'table' ? (
          <Field label={t('lists.column.table', 'Table')} error={createError}>
            <Select<string>
              source={isNamespaceReady ? `${database} ${schema}` : null}
              value={table}
              selectedLabel={table ?? undefined}
              data-autofocus
              placeholder={t('lists.datasets.choose', 'Choose a table')}
              load={async (search, page, signal) => {
                if (database === null || schema === null) return { options: [], count: 0 }
                const { count, result } = await api.get('/api/v1/database/:id/tables/', {
                  params: { id: database },
                  q: { schema_name: schema, force: false, search, page, page_size: pageSize },
                  signal,
                })
                return {
                  count,
                  options: result.map(({ value, type }) => ({
                    value,
                    label: value,
                    icon: 'table' as const,
                    ...(type !== 'table' && { note: t('lists.datasets.view', 'view') }),
                  })),
                }
              }}
              onChange={(value) => {
                setTable(value)
                create.reset()
              }}
            />
          </Field>
        ) : (
          <>
            <Field label={t('lists.column.name', 'Name')}>
              <TextInput value={name} onChange={setName} maxLength={250} />
            </Field>
            <SqlField
              label={t('lists.datasets.sql', 'SQL')}
              error={createError}
              fault={fault}
              names={names}
              quote={identifierQuote(chosen?.backend)}
              rows={8}
              value={sql}
              onChange={(value) => {
                setSql(value)
                create.reset()
              }}
            />
          </>
        )}
        {existingDataset && (
          <Banner
            inline
            tone="warning"
            action={<Link href={`/dataset/${existingDataset.id}`}>{t('lists.datasets.open', 'Open dataset')}</Link>}
          >
            {t('lists.datasets.exists', 'This dataset already exists.')}
          </Banner>
        )}
        {isReady && columns.error && !fault && <ErrorPanel inline>{messageOf(columns.error)}</ErrorPanel>}
        {isReady && columns.data && (
          <section className={styles.preview} aria-label={t('lists.datasets.preview', 'Columns')}>
            <h3>
              {t('lists.datasets.columns', '{n, plural, one {# column} other {# columns}}', { n: columns.data.length })}
            </h3>
            <ul tabIndex={0} aria-label={t('lists.datasets.preview', 'Columns')}>
              {columns.data.map((column) => (
                <li key={column.name}>
                  <code>{column.name}</code> <span>{column.type}</span>
                </li>
              ))}
            </ul>
          </section>
        )}
        {isReady && columns.data && mayPreview && database !== null && (
          <FirstRows database={database} schema={schema} table={from === 'table' ? table : null} sql={text} />
        )}
      </div>
    </Dialog>
  )
}
