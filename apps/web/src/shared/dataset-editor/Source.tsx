import { Button, Field, Strip, TextArea, TextInput, useText } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { messageOf } from '../errors.ts'
import type { DatasetDocument } from './document.ts'
import { sourceOf } from './SyncDialog.tsx'
import styles from './editor.module.css'

export interface SourceProps {
  document: DatasetDocument
  databaseName: string
  readOnly: boolean
  isChanged: boolean
  errorOf(field: string): string | undefined
  onSet(fields: Partial<DatasetDocument>): void
  onSync(): void
}

/** Where the rows come from: a table, or SQL that is checked where it would run. */
export function Source({ document, databaseName, readOnly, isChanged, errorOf, onSet, onSync }: SourceProps) {
  const t = useText()
  const check = useMutation({ mutationFn: () => sourceOf(document, new AbortController().signal) })
  const { sql } = document
  return (
    <div className={styles.tab}>
      {isChanged && (
        <Strip banner action={<Button onClick={onSync}>{t('dataset.sync.short', 'Sync from source')}</Button>}>
          {t('dataset.source.changed', 'The source is another one. Its columns may be as well.')}
        </Strip>
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
            label={sql === null ? t('dataset.table', 'Table') : t('dataset.name', 'Name of the dataset')}
            error={errorOf('table_name')}
          >
            <TextInput value={document.table_name} onChange={(table_name) => onSet({ table_name })} maxLength={250} />
          </Field>
        </div>
        {sql !== null && (
          <Field label={t('dataset.sql', 'SQL')} error={errorOf('sql')}>
            <TextArea
              mono
              rows={16}
              spellCheck={false}
              value={sql}
              onChange={(text) => {
                onSet({ sql: text })
                check.reset()
              }}
            />
          </Field>
        )}
      </fieldset>
      <div className={styles.tools}>
        <Button icon="check" busy={check.isPending} onClick={() => check.mutate()}>
          {t('dataset.source.check', 'Check')}
        </Button>
        {check.error && (
          <p className={styles.tried} data-wrong role="alert">
            {messageOf(check.error)}
          </p>
        )}
        {check.data && (
          <p className={styles.tried} role="status">
            {t('dataset.source.gives', 'Gives {n, plural, one {# column} other {# columns}}: {names}', {
              n: check.data.length,
              names: check.data.map(({ name }) => name).join(', '),
            })}
          </p>
        )}
      </div>
    </div>
  )
}
