import {
  Button,
  Checkbox,
  Dialog,
  ErrorPanel,
  Field,
  Icon,
  PasswordInput,
  TextArea,
  toast,
  useTranslate,
  type Translate,
} from '@parquetry/ui'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import type { Nouns } from '../definition.ts'
import { type ImportProblems, baseNameOf, parseImportProblems, type SecretField, secretFields } from './problems.ts'
import { FileChooser } from '../FileChooser.tsx'
import styles from './import.module.css'

export interface ImportDialogProps {
  resource: 'database' | 'saved_query' | 'theme'
  nouns: Nouns
  onClose(): void
}

type Secrets = Partial<Record<SecretField, Record<string, string>>>

/**
 * Imports a bundle into this list. The dialog prompts for secrets and conflicts that the server reports; nothing is written until
 * all are resolved.
 */
export function ImportDialog({ resource, nouns, onClose }: ImportDialogProps) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(null)
  const [secrets, setSecrets] = useState<Secrets>({})
  const [overwrite, setOverwrite] = useState(false)
  const [problems, setProblems] = useState<ImportProblems | null>(null)
  const send = useMutation({
    mutationFn: (chosen: File) =>
      api.post(`/api/v1/${resource}/import/`, { body: buildFormData(chosen, secrets, overwrite) }),
    onError: (error) => setProblems(merged(problems, parseImportProblems(error))),
    onSuccess: () => {
      void queries.invalidateQueries()
      toast(t('lists.import.done', '{file} imported', { file: file?.name ?? '' }))
      onClose()
    },
  })
  const choose = (chosen: File): void => {
    setFile(chosen)
    setProblems(null)
    setSecrets({})
    setOverwrite(false)
    send.reset()
  }
  const isMissing = problems?.secrets.some(({ path, field }) => !secrets[field]?.[path])
  const reason = !file
    ? t('lists.import.noFile', 'Choose a file first')
    : isMissing
      ? t('lists.import.noSecret', 'Fill in the required fields first')
      : problems && problems.exists.length > 0 && !overwrite
        ? t('lists.import.noOverwrite', 'Choose Overwrite to continue')
        : undefined
  return (
    <Dialog
      open
      width={480}
      title={t('lists.import.title', 'Import {nouns}', { nouns: nouns.many })}
      dirty={file !== null}
      onClose={onClose}
      onSubmit={() => {
        if (file && !reason) send.mutate(file)
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('lists.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={send.isPending} disabledReason={reason}>
            {t('lists.import.action', 'Import')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <FileChooser
          label={t('lists.import.choose', 'Choose a file')}
          accept=".zip,application/zip"
          fileName={file?.name ?? null}
          hint={t('lists.import.what', 'An exported .zip file')}
          onChoose={choose}
        />
        {problems?.secrets.map(({ path, field }) => (
          <Secret
            key={`${field} ${path}`}
            field={field}
            name={baseNameOf(path)}
            value={secrets[field]?.[path] ?? ''}
            onChange={(value) => setSecrets({ ...secrets, [field]: { ...secrets[field], [path]: value } })}
          />
        ))}
        {problems && problems.exists.length > 0 && (
          <div className={styles.exists} role="status">
            {problems.exists.map((path) => (
              <p key={path}>
                <Icon name="warning" />{' '}
                {t('lists.import.exists', '{name} already exists. Choose Overwrite to replace it.', {
                  name: baseNameOf(path),
                })}
              </p>
            ))}
            <Checkbox checked={overwrite} onChange={setOverwrite} label={t('lists.import.overwrite', 'Overwrite')} />
          </div>
        )}
        {problems && problems.others.length > 0 && (
          <ErrorPanel inline title={t('lists.import.failedTitle', 'Nothing was imported')}>
            {t('lists.import.failed', 'An error occurred while importing {noun}: {message}', {
              noun: nouns.one,
              message: problems.others
                .map(({ path, message }) => (path === null ? message : `${path}: ${message}`))
                .join(' '),
            })}{' '}
            {t('lists.import.again', 'Please re-export your file and try importing again')}
          </ErrorPanel>
        )}
      </div>
    </Dialog>
  )
}

/** Keeps previously requested secrets and conflicts editable, even if the next response no longer reports them. */
const merged = (before: ImportProblems | null, next: ImportProblems): ImportProblems => ({
  ...next,
  exists: [...new Set([...(before?.exists ?? []), ...next.exists])],
  secrets: [
    ...(before?.secrets ?? []),
    ...next.secrets.filter(
      ({ path, field }) => !before?.secrets.some((known) => known.path === path && known.field === field),
    ),
  ],
})

function buildFormData(file: File, secrets: Secrets, overwrite: boolean): FormData {
  const form = new FormData()
  form.set('formData', file)
  for (const field of secretFields) if (secrets[field]) form.set(field, JSON.stringify(secrets[field]))
  if (overwrite) form.set('overwrite', 'true')
  return form
}

const formatSecretLabel = (t: Translate, field: SecretField, name: string): string => {
  switch (field) {
    case 'passwords':
      return t('lists.import.password', 'Password for {name}', { name })
    case 'ssh_tunnel_passwords':
      return t('lists.import.tunnelPassword', 'SSH tunnel password for {name}', { name })
    case 'ssh_tunnel_private_keys':
      return t('lists.import.tunnelKey', 'SSH tunnel private key for {name}', { name })
    case 'ssh_tunnel_private_key_passwords':
      return t('lists.import.tunnelKeyPassword', 'Private key password for {name}', { name })
  }
}

/** LIST-019 to LIST-022. */
function Secret({
  field,
  name,
  value,
  onChange,
}: {
  field: SecretField
  name: string
  value: string
  onChange(value: string): void
}) {
  const t = useTranslate()
  return (
    <Field label={formatSecretLabel(t, field, name)} required>
      {field === 'ssh_tunnel_private_keys' ? (
        <TextArea value={value} onChange={onChange} rows={4} />
      ) : (
        <PasswordInput value={value} onChange={onChange} autoComplete="off" />
      )}
    </Field>
  )
}
