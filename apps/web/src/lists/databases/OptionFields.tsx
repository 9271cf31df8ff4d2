import { Checkbox, Field, NumberInput, TextInput, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { isFileEngine, type Engine } from './connection.ts'
import type { DatabaseExtra, DatabaseOptions } from './options.ts'
import listStyles from '../lists.module.css'

export interface OptionFieldsProps {
  engine: Engine
  acceptsUploads: boolean
  options: DatabaseOptions
  errors: Record<string, string>
  onChange(options: DatabaseOptions): void
}

type Flag = { [K in keyof DatabaseOptions]: DatabaseOptions[K] extends boolean ? K : never }[keyof DatabaseOptions]

/** Options of a database, limited to what its engine supports. */
export function OptionFields({ engine, acceptsUploads, options, errors, onChange }: OptionFieldsProps) {
  const t = useTranslate()
  const { kind, supports } = engine.parquetry ?? {}
  const set = (patch: Partial<DatabaseOptions>) => onChange({ ...options, ...patch })
  const { extra } = options
  const setExtra = (patch: Partial<DatabaseExtra>) => set({ extra: { ...extra, ...patch } as DatabaseExtra })
  const times = extra.metadata_cache_timeout ?? {}
  const setTime = (name: keyof typeof times, seconds: number | null) => {
    const { [name]: _, ...others } = times
    setExtra({ metadata_cache_timeout: seconds === null ? others : { ...others, [name]: seconds } })
  }
  const flag = (name: Flag, label: string, help?: string) => (
    <Checkbox label={label} help={help} checked={options[name]} onChange={(on) => set({ [name]: on })} />
  )
  const extraFlag = (name: keyof DatabaseExtra & string, label: string, help?: string) => (
    <Checkbox label={label} help={help} checked={extra[name] === true} onChange={(on) => setExtra({ [name]: on })} />
  )
  // Turning the option off must not hide its checkbox.
  const [isSecurityOpen] = useState(options.impersonate_user)
  const canWrite = kind === 'network' && !isFileEngine(engine)
  return (
    <>
      {supports?.impersonate && (
        <details open={isSecurityOpen || undefined}>
          <summary>{t('lists.options.security', 'Security')}</summary>
          {flag(
            'impersonate_user',
            t('lists.options.impersonate', 'Impersonate the signed-in user'),
            t(
              'lists.options.impersonateHelp',
              'The connection signs in with its own account, and the database applies the permissions of the user signed in to Parquetry.',
            ),
          )}
        </details>
      )}
      <details>
        <summary>{t('lists.options.sqllab', 'SQL Lab')}</summary>
        <div className={listStyles.form}>
          {flag('expose_in_sqllab', t('lists.options.expose', 'Show in SQL Lab'))}
          {flag(
            'allow_run_async',
            t('lists.options.async', 'Run queries in the background'),
            t('lists.options.asyncHelp', 'Queries in SQL Lab continue to run after the page is reloaded or closed.'),
          )}
          {canWrite &&
            flag(
              'allow_dml',
              t('lists.options.dml', 'Allow statements that change data'),
              t(
                'lists.options.dmlHelp',
                'INSERT, UPDATE, DELETE, CREATE and similar statements, as far as the database account’s permissions allow.',
              ),
            )}
          {kind === 'embedded' &&
            flag(
              'allow_ctas',
              t('lists.options.ctas', 'Allow CREATE TABLE AS'),
              t(
                'lists.options.ctasHelp',
                'Users save the rows of a query as a table of their own, which counts for their storage quota.',
              ),
            )}
          {canWrite && supports?.createAs !== false && (
            <>
              {flag('allow_ctas', t('lists.options.ctas', 'Allow CREATE TABLE AS'))}
              {flag('allow_cvas', t('lists.options.cvas', 'Allow CREATE VIEW AS'))}
              {(options.allow_ctas || options.allow_cvas) && (
                <Field
                  label={t('lists.options.ctasSchema', 'Schema for new tables and views')}
                  help={t('lists.options.ctasSchemaHelp', 'Leave empty to let users choose.')}
                  error={errors['force_ctas_schema']}
                >
                  <TextInput
                    value={options.force_ctas_schema}
                    onChange={(force_ctas_schema) => set({ force_ctas_schema })}
                    maxLength={250}
                  />
                </Field>
              )}
            </>
          )}
          {supports?.estimate !== false &&
            extraFlag('cost_estimate_enabled', t('lists.options.estimate', 'Enable query cost estimates'))}
          {extraFlag('disable_data_preview', t('lists.options.noPreview', 'Disable table data preview'))}
        </div>
      </details>
      <details>
        <summary>{t('lists.options.performance', 'Cache')}</summary>
        <div className={listStyles.two}>
          <Field
            label={t('lists.options.cache', 'Chart results (seconds)')}
            help={t('lists.options.cacheHelp', 'Leave empty to use the default. Enter -1 to turn off caching.')}
            error={errors['cache_timeout']}
          >
            <NumberInput
              integer
              min={-1}
              value={options.cache_timeout}
              onChange={(cache_timeout) => set({ cache_timeout })}
            />
          </Field>
          <Field label={t('lists.options.schemaCache', 'Schema names (seconds)')} error={errors['extra']}>
            <NumberInput
              integer
              min={0}
              value={times.schema_cache_timeout ?? null}
              onChange={(seconds) => setTime('schema_cache_timeout', seconds)}
            />
          </Field>
          <Field label={t('lists.options.tableCache', 'Table names (seconds)')}>
            <NumberInput
              integer
              min={0}
              value={times.table_cache_timeout ?? null}
              onChange={(seconds) => setTime('table_cache_timeout', seconds)}
            />
          </Field>
        </div>
      </details>
      {acceptsUploads && (
        <details>
          <summary>{t('lists.options.upload', 'File uploads')}</summary>
          <div className={listStyles.form}>
            {flag('allow_file_upload', t('lists.options.allowUpload', 'Allow uploading files as tables'))}
          </div>
        </details>
      )}
    </>
  )
}
