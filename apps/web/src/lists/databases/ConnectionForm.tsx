import { Banner, Button, Dialog, Field, SegmentedControl, TextArea, TextInput, useTranslate } from '@parquetry/ui'
import { useEffect, useRef } from 'react'
import { boot } from '../../shared/boot.ts'
import {
  createConnectionDraft,
  isEmpty,
  isFileEngine,
  listFields,
  unsupportedText,
  type ConnectionDraft,
  type Engine,
} from './connection.ts'
import { OptionFields } from './OptionFields.tsx'
import { ParameterField } from './ParameterField.tsx'
import { readPastedUri } from './pasted-uri.ts'
import { TestReport } from './TestReport.tsx'
import { TunnelFields } from './TunnelFields.tsx'
import { useConnection, type InitialConnection } from './use-connection.ts'
import listStyles from '../lists.module.css'
import styles from './connect.module.css'

const hasTunnels = boot.common.feature_flags['SSH_TUNNELING'] === true

export interface ConnectionFormProps {
  engine: Engine
  start: InitialConnection
  /** Id of the edited database; undefined for a new one. */
  id?: number
  onBack?: () => void
  onClose(): void
  onSaved(id: number, name: string): void
}

/** Form of one connection, generated from the engine's metadata. */
export function ConnectionForm({ engine, start, id, onBack, onClose, onSaved }: ConnectionFormProps) {
  const t = useTranslate()
  const form = useConnection(engine, start, { id, onSaved })
  const { draft, errors, change, left } = form
  const isNew = id === undefined
  const fields = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (form.attempts > 0) fields.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [form.attempts])
  const unsupported = engine.engine_information?.unsupported
  const isNetwork = engine.parquetry?.kind === 'network' && !isFileEngine(engine)
  const mayTunnel = isNetwork && (hasTunnels || draft.tunnel !== null)

  const setParameter = (name: string, value: ConnectionDraft['parameters'][string] | null): void => {
    const { [name]: _, ...rest } = draft.parameters
    // An edited value keeps its position, so that the parameters stay in order.
    const next = value === null || value === '' ? rest : { ...draft.parameters, [name]: value }
    change({ parameters: next }, name)
  }
  const pasteUri = (uri: string): void => {
    const read = readPastedUri(uri, [engine])
    change(
      { uri, ...(read && { parameters: { ...createConnectionDraft(engine).parameters, ...read.parameters } }) },
      'sqlalchemy_uri',
      'password',
    )
  }
  return (
    <Dialog
      open
      title={isNew ? engine.name : t('lists.connect.edit', 'Edit {name}', { name: start.draft.name })}
      width={720}
      dirty={form.isDirty}
      onClose={onClose}
      onSubmit={() => form.attempt('save')}
      footer={
        <>
          {onBack && (
            <Button variant="quiet" onClick={onBack}>
              {t('lists.connect.back', 'Back')}
            </Button>
          )}
          <Button
            icon="plug"
            disabledReason={
              unsupported !== undefined && draft.uri === start.draft.uri
                ? t('lists.connect.replaceFirst', 'Enter the connection string of a supported database first')
                : undefined
            }
            busy={form.test.isPending}
            onClick={() => form.attempt('test')}
          >
            {t('lists.connect.test', 'Test connection')}
          </Button>
          <Button type="submit" variant="primary" busy={form.save.isPending}>
            {isNew ? t('lists.connect.action', 'Connect') : t('lists.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={`${listStyles.form} ${styles.sections}`} ref={fields}>
        {unsupported !== undefined && (
          <Banner inline tone="warning">
            {unsupportedText(unsupported, t)}
          </Banner>
        )}
        <Field label={t('lists.connect.name', 'Name')} required error={errors['database_name']}>
          <TextInput
            value={draft.name}
            onChange={(name) => change({ name }, 'database_name')}
            onBlur={() => void left('database_name')}
            maxLength={250}
          />
        </Field>
        {engine.parquetry && (
          <div className={styles.by}>
            <SegmentedControl
              label={t('lists.connect.by', 'Connection method')}
              value={draft.by}
              onChange={(by) => change({ by }, 'sqlalchemy_uri')}
              options={[
                { value: 'fields', label: t('lists.connect.byFields', 'Fields') },
                { value: 'uri', label: t('lists.connect.byUri', 'Connection string') },
              ]}
            />
          </div>
        )}
        {draft.by === 'uri' ? (
          <Field
            label={t('lists.connect.uri', 'Connection string')}
            required
            error={errors['sqlalchemy_uri'] ?? errors['password']}
            help={engine.sqlalchemy_uri_placeholder}
          >
            <TextInput
              mono
              spellCheck={false}
              autoCapitalize="none"
              value={draft.uri}
              onChange={pasteUri}
              onBlur={() => void left('sqlalchemy_uri')}
              data-autofocus
            />
          </Field>
        ) : (
          <div className={listStyles.two}>
            {listFields(engine).map((field) => (
              <ParameterField
                key={field.name}
                field={field}
                value={draft.parameters[field.name]}
                error={errors[field.name]}
                onChange={(value) => setParameter(field.name, value)}
                onBlur={() => void left(field.name)}
              />
            ))}
          </div>
        )}
        <TestReport
          engine={engine.name}
          mayWrite={form.options.allow_dml}
          isRunning={form.test.isPending}
          tested={form.test.data}
          error={form.failure}
        />
        {mayTunnel && (
          <details open={start.draft.tunnel !== null || undefined}>
            <summary>{t('lists.connect.tunnel', 'SSH tunnel')}</summary>
            <TunnelFields
              tunnel={draft.tunnel}
              errors={errors}
              onChange={(tunnel) =>
                change({ tunnel }, ...Object.keys(errors).filter((name) => name.startsWith('ssh_tunnel')))
              }
            />
          </details>
        )}
        {isNetwork && (
          <details open={errors['server_cert'] !== undefined || draft.serverCert !== '' || undefined}>
            <summary>{t('lists.connect.encryptionMore', 'Encryption')}</summary>
            <Field
              label={t('lists.connect.cert', 'CA certificate')}
              help={t(
                'lists.connect.certHelp',
                'In PEM format. With a certificate, the connection is encrypted and the server is verified.',
              )}
              error={errors['server_cert']}
            >
              <TextArea
                mono
                rows={4}
                spellCheck={false}
                value={draft.serverCert}
                placeholder="-----BEGIN CERTIFICATE-----"
                onChange={(serverCert) => change({ serverCert }, 'server_cert')}
              />
            </Field>
          </details>
        )}
        <OptionFields
          engine={engine}
          // Tables are loaded only into databases that store them, not into the files of a path.
          acceptsUploads={engine.parquetry?.kind === 'embedded' && isEmpty(draft.parameters['path'])}
          options={form.options}
          errors={errors}
          onChange={form.changeOptions}
        />
      </div>
    </Dialog>
  )
}
