import {
  Button,
  Checkbox,
  Dialog,
  Field,
  NumberInput,
  PasswordInput,
  Segmented,
  StatusChip,
  TextInput,
  toast,
  useText,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { ApiError, messageOf } from '../../shared/errors.ts'
import {
  connectionBody,
  fieldsOf,
  readPairs,
  readUri,
  writePairs,
  type ConnectionDraft,
  type ConnectionField,
  type Engine,
} from './connection.ts'
import { fieldErrors } from './field-errors.ts'
import listStyles from '../lists.module.css'

export interface ConnectionFormProps {
  engine: Engine
  start: ConnectionDraft
  /** The database that is changed; a new one is made without. */
  id?: number
  onBack?: () => void
  onClose(): void
  onSaved(id: number, name: string): void
}

/** The form of one connection, made from what the engine says of itself. Fields are checked when they are left. */
export function ConnectionForm({ engine, start, id, onBack, onClose, onSaved }: ConnectionFormProps) {
  const t = useText()
  const queries = useQueryClient()
  const [draft, setDraft] = useState(start)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const fields = fieldsOf(engine)
  const missingText = t('lists.connect.required', 'This is a required field')

  const change = (patch: Partial<ConnectionDraft>): void => {
    setDraft({ ...draft, ...patch })
    test.reset()
  }
  const setParameter = (name: string, value: ConnectionDraft['parameters'][string] | null): void => {
    const { [name]: _, ...rest } = draft.parameters
    setErrors(({ [name]: _old, ...others }) => others)
    change({ parameters: value === null || value === '' ? rest : { ...rest, [name]: value } })
  }
  /** What must be there before the server is asked. */
  const missing = (): Record<string, string> => {
    const absent: Record<string, string> = draft.name.trim() ? {} : { database_name: missingText }
    if (draft.by === 'uri') return draft.uri.trim() ? absent : { ...absent, sqlalchemy_uri: missingText }
    for (const { name, required } of fields)
      if (required && draft.parameters[name] === undefined) absent[name] = missingText
    return absent
  }
  const body = () => ({ database_name: draft.name.trim(), ...connectionBody(draft, engine) })
  const note = (error: unknown): void => {
    if (error instanceof ApiError) setErrors(fieldErrors(error, true, missingText))
  }

  const check = useMutation({
    mutationFn: () =>
      api.post('/api/v1/database/validate_parameters/', { body: { ...body(), ...(id !== undefined && { id }) } }),
    onSuccess: () => setErrors({}),
    onError: (error) => error instanceof ApiError && setErrors(fieldErrors(error, false, missingText)),
  })
  const test = useMutation({
    mutationFn: () => api.post('/api/v1/database/test_connection/', { body: body() }),
    onError: note,
  })
  const save = useMutation({
    mutationFn: () =>
      id === undefined
        ? api.post<{ id: number }>('/api/v1/database/', { body: { ...body(), expose_in_sqllab: true } })
        : api.put<{ id: number }>(`/api/v1/database/${id}`, { body: body() }),
    onSuccess: async (answer) => {
      await queries.invalidateQueries({ queryKey: ['database'] })
      if (id !== undefined) toast(t('lists.saved', 'Saved: {name}', { name: draft.name }))
      onSaved(answer.id ?? id, draft.name.trim())
    },
    onError: note,
  })
  const attempt = (act: { mutate(): void }) => (): void => {
    const absent = missing()
    setErrors(absent)
    if (Object.keys(absent).length === 0) act.mutate()
  }
  const pasteUri = (uri: string): void => {
    const read = readUri(uri)
    change({ uri, ...(read?.engine === engine.engine && { parameters: { ...draft.parameters, ...read.parameters } }) })
  }
  const failure: unknown = test.error ?? save.error
  const failed = failure != null
  return (
    <Dialog
      open
      title={id === undefined ? engine.name : t('lists.connect.edit', 'Edit {name}', { name: start.name })}
      width={720}
      dirty={draft !== start}
      onClose={onClose}
      onSubmit={attempt(save)}
      footer={
        <>
          {onBack && (
            <Button variant="quiet" onClick={onBack}>
              {t('lists.connect.back', 'Back')}
            </Button>
          )}
          <Button icon="plug" busy={test.isPending} onClick={attempt(test)}>
            {t('lists.connect.test', 'Test connection')}
          </Button>
          <Button type="submit" variant="primary" busy={save.isPending}>
            {id === undefined ? t('lists.connect.action', 'Connect') : t('lists.save', 'Save')}
          </Button>
        </>
      }
    >
      <div className={listStyles.form}>
        <Field label={t('lists.connect.name', 'Name')} required error={errors['database_name']}>
          <TextInput value={draft.name} onChange={(name) => change({ name })} maxLength={250} />
        </Field>
        {engine.parameters && (
          <Segmented
            label={t('lists.connect.by', 'How to tell the connection')}
            value={draft.by}
            onChange={(by) => change({ by })}
            options={[
              { value: 'fields', label: t('lists.connect.byFields', 'Fields') },
              { value: 'uri', label: t('lists.connect.byUri', 'Connection string') },
            ]}
          />
        )}
        {draft.by === 'uri' ? (
          <Field
            label={t('lists.connect.uri', 'Connection string')}
            required
            error={errors['sqlalchemy_uri']}
            help={engine.sqlalchemy_uri_placeholder}
          >
            <TextInput mono spellCheck={false} value={draft.uri} onChange={pasteUri} data-autofocus />
          </Field>
        ) : (
          <div className={listStyles.two} onBlur={() => draft !== start && check.mutate()}>
            {fields.map((field) => (
              <ParameterField
                key={field.name}
                field={field}
                value={draft.parameters[field.name]}
                error={errors[field.name]}
                onChange={(value) => setParameter(field.name, value)}
              />
            ))}
          </div>
        )}
        <p role="status">
          {test.isSuccess && (
            <StatusChip tone="success" icon="check">
              {t('lists.connect.good', 'Connection looks good!')}
            </StatusChip>
          )}
        </p>
        {failed && (
          <p role="alert" className={listStyles.problem}>
            {t('lists.connect.failed', 'ERROR: {message}', { message: messageOf(failure) })}
          </p>
        )}
      </div>
    </Dialog>
  )
}

interface ParameterFieldProps {
  field: ConnectionField
  value: ConnectionDraft['parameters'][string] | undefined
  error: string | undefined
  onChange(value: ConnectionDraft['parameters'][string] | null): void
}

function ParameterField({ field, value, error, onChange }: ParameterFieldProps) {
  const t = useText()
  const { name, kind, required, help } = field
  const labels: Record<string, string> = {
    host: t('lists.connect.host', 'Host'),
    port: t('lists.connect.port', 'Port'),
    database: t('lists.connect.database', 'Database'),
    username: t('lists.connect.username', 'User'),
    password: t('lists.connect.password', 'Password'),
    encryption: t('lists.connect.encryption', 'Encrypted (SSL)'),
    query: t('lists.connect.query', 'Additional parameters'),
    path: t('lists.connect.path', 'Path'),
  }
  const label = labels[name] ?? name
  const text = typeof value === 'string' ? value : ''
  if (kind === 'flag') {
    return <Checkbox label={label} help={help} checked={value === true} onChange={(on) => onChange(on || null)} />
  }
  return (
    <Field label={label} required={required} error={error} help={help}>
      {kind === 'number' ? (
        <NumberInput integer value={typeof value === 'number' ? value : null} onChange={onChange} />
      ) : kind === 'secret' ? (
        <PasswordInput value={text} onChange={onChange} autoComplete="off" />
      ) : kind === 'pairs' ? (
        <PairsInput value={value} onChange={onChange} />
      ) : (
        <TextInput value={text} onChange={onChange} spellCheck={false} autoCapitalize="none" />
      )}
    </Field>
  )
}

function PairsInput({ value, onChange }: { value: unknown; onChange(value: Record<string, string> | null): void }) {
  const [text, setText] = useState(() => writePairs(value))
  return (
    <TextInput
      mono
      placeholder="key=value&key=value"
      value={text}
      onChange={(next) => {
        setText(next)
        const pairs = readPairs(next)
        onChange(Object.keys(pairs).length > 0 ? pairs : null)
      }}
    />
  )
}
