import { Button, Field, Banner, TextInput, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../errors.ts'
import { identifierQuote } from '../sql-field/identifier-quote.ts'
import { SqlField } from '../sql-field/SqlField.tsx'
import { useQueryCheck } from '../sql-field/use-query-check.ts'
import { useTableNames } from '../sql-field/use-table-names.ts'
import { listSourceColumns } from './SheetTab.tsx'
import type { DatasetDocument } from './document.ts'
import { fetchSourceColumns } from './SyncDialog.tsx'
import styles from './editor.module.css'

export interface SourceTabProps {
  document: DatasetDocument
  databaseName: string
  backend: string
  readOnly: boolean
  isChanged: boolean
  errorOf(field: string): string | undefined
  onSet(fields: Partial<DatasetDocument>): void
  onSync(): void
}

/** Source of the rows: a table, or SQL that its database checks. */
export function SourceTab({
  document,
  databaseName,
  backend,
  readOnly,
  isChanged,
  errorOf,
  onSet,
  onSync,
}: SourceTabProps) {
  const t = useTranslate()
  const check = useMutation({ mutationFn: () => fetchSourceColumns(document, new AbortController().signal) })
  const { sql, database_id } = document
  const [isWriting, setWriting] = useState(false)
  const source = { database_id, schema: document.schema || null, catalog: document.catalog || null }
  const fault = useQueryCheck(isWriting && sql !== null ? { ...source, sql } : null)
  const tables = useTableNames(isWriting ? source : null)
  return (
    <div className={styles.tab}>
      {isChanged && (
        <Banner inline action={<Button onClick={onSync}>{t('dataset.sync.short', 'Sync from source')}</Button>}>
          {t('dataset.source.changed', 'The source has changed. Its columns may have changed too.')}
        </Banner>
      )}
      <fieldset className={styles.form} disabled={readOnly}>
        <Field label={t('dataset.database', 'Database')}>
          <TextInput value={databaseName} onChange={() => undefined} readOnly />
        </Field>
        <div className={styles.two}>
          <Field label={t('dataset.schema', 'Schema')}>
            <TextInput value={document.schema} onChange={(schema) => onSet({ schema })} />
          </Field>
          <Field
            label={sql === null ? t('dataset.table', 'Table') : t('dataset.name', 'Dataset name')}
            error={errorOf('table_name')}
          >
            <TextInput value={document.table_name} onChange={(table_name) => onSet({ table_name })} maxLength={250} />
          </Field>
        </div>
        {sql !== null && (
          <SqlField
            label={t('dataset.sql', 'SQL')}
            error={errorOf('sql')}
            fault={fault}
            names={[...tables, ...listSourceColumns(document)]}
            quote={identifierQuote(backend)}
            rows={16}
            value={sql}
            onFocus={() => setWriting(true)}
            onChange={(text) => {
              onSet({ sql: text })
              check.reset()
            }}
          />
        )}
      </fieldset>
      <div className={styles.tools}>
        <Button icon="check" busy={check.isPending} onClick={() => check.mutate()}>
          {t('dataset.source.check', 'Test')}
        </Button>
        {check.error && (
          <p className={styles.tried} data-wrong role="alert">
            {messageOf(check.error)}
          </p>
        )}
        {check.data && (
          <p className={styles.tried} role="status">
            {t('dataset.source.gives', 'Returns {n, plural, one {# column} other {# columns}}: {names}', {
              n: check.data.length,
              names: check.data.map(({ name }) => name).join(', '),
            })}
          </p>
        )}
      </div>
    </div>
  )
}
