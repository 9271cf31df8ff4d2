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
import { skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useSyncExternalStore } from 'react'
import { api } from '../shared/api.ts'
import { FileChooser } from '../shared/FileChooser.tsx'
import { canImport, closeImport, importRequest, subscribeImport, type ImportRequest } from '../shared/import.ts'
import type { ImportKind } from '../shared/import-permissions.ts'
import { readBundleKind } from './bundle-file.ts'
import { importNoun } from './kinds.ts'
import { type ImportProblems, baseNameOf, parseImportProblems, type SecretField, secretFields } from './problems.ts'
import styles from './import.module.css'

type Secrets = Partial<Record<SecretField, Record<string, string>>>

/** Imports the file of the request; without one, the user chooses it first. */
export function ImportDialog() {
  const request = useSyncExternalStore(subscribeImport, importRequest)
  // A file that is dropped on an open dialog starts a new import.
  const [requests] = useState(() => new Map<ImportRequest, number>())
  if (!request) return null
  if (!requests.has(request)) requests.set(request, requests.size)
  return <RequestedImport key={requests.get(request)} request={request} />
}

/**
 * The dialog prompts for secrets and conflicts that the server reports; nothing is written until all are resolved.
 */
function RequestedImport({ request: { list, file: given } }: { request: ImportRequest }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [file, setFile] = useState<File | null>(given)
  const [secrets, setSecrets] = useState<Secrets>({})
  const [overwrite, setOverwrite] = useState(false)
  const [problems, setProblems] = useState<ImportProblems | null>(null)
  // Only the content of the file tells which call imports it.
  const { data: kind = list, isPending } = useQuery({
    queryKey: ['import', 'kind', file?.name, file?.size, file?.lastModified],
    queryFn: file ? async () => resolveKind(await readBundleKind(file), list) : skipToken,
  })
  const noun = importNoun(t, kind ?? 'assets')
  const refusal =
    !file || isPending
      ? undefined
      : kind === null
        ? t(
            'import.unknown',
            'The file does not tell what it contains. Choose it with Import on the list of its dashboards, charts or other objects.',
          )
        : canImport(kind)
          ? undefined
          : t(
              'import.noRight',
              'You don’t have permission to import a {noun}. Ask an administrator to add it to your role.',
              { noun },
            )
  const send = useMutation({
    mutationFn: ({ chosen, to }: { chosen: File; to: ImportKind }) =>
      api.post(`/api/v1/${to}/import/`, { body: buildFormData(chosen, secrets, overwrite) }),
    onError: (error) => setProblems(merged(problems, parseImportProblems(error))),
    onSuccess: () => {
      void queries.invalidateQueries()
      toast(t('import.done', '{file} imported', { file: file?.name ?? '' }))
      closeImport()
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
    ? t('import.noFile', 'Choose a file first')
    : refusal !== undefined
      ? refusal
      : isMissing
        ? t('import.noSecret', 'Fill in the required fields first')
        : problems && problems.exists.length > 0 && !overwrite
          ? t('import.noOverwrite', 'Choose Overwrite to continue')
          : undefined
  return (
    <Dialog
      open
      width={480}
      title={file ? t('import.title', 'Import {file}', { file: file.name }) : t('import.titleEmpty', 'Import a file')}
      dirty={overwrite || Object.keys(secrets).length > 0}
      onClose={closeImport}
      onSubmit={() => {
        if (file && kind && !reason) send.mutate({ chosen: file, to: kind })
      }}
      footer={
        <>
          <Button onClick={closeImport}>{t('import.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={send.isPending} disabledReason={reason}>
            {t('import.action', 'Import')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <FileChooser
          label={t('import.choose', 'Choose a file')}
          accept=".zip,application/zip"
          fileName={file?.name ?? null}
          hint={t('import.what', 'An exported .zip file')}
          onChoose={choose}
        />
        {refusal && (
          <ErrorPanel inline title={t('import.refused', 'This file cannot be imported')}>
            {refusal}
          </ErrorPanel>
        )}
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
                {t('import.exists', '{name} already exists. Choose Overwrite to replace it.', {
                  name: baseNameOf(path),
                })}
              </p>
            ))}
            <Checkbox checked={overwrite} onChange={setOverwrite} label={t('import.overwrite', 'Overwrite')} />
          </div>
        )}
        {problems && problems.others.length > 0 && (
          <ErrorPanel inline title={t('import.failedTitle', 'Nothing was imported')}>
            {t('import.failed', 'An error occurred while importing {noun}: {message}', {
              noun,
              message: problems.others
                .map(({ path, message }) => (path === null ? message : `${path}: ${message}`))
                .join(' '),
            })}{' '}
            {t('import.again', 'Please re-export your file and try importing again')}
          </ErrorPanel>
        )}
      </div>
    </Dialog>
  )
}

/** The call for a bundle whose metadata does not tell its kind is that of the list; its answer says what is wrong. */
const resolveKind = (found: ImportKind | 'unknown' | null, list: ImportKind | null): ImportKind | null =>
  found === null || found === 'unknown' ? list : found

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
      return t('import.password', 'Password for {name}', { name })
    case 'ssh_tunnel_passwords':
      return t('import.tunnelPassword', 'SSH tunnel password for {name}', { name })
    case 'ssh_tunnel_private_keys':
      return t('import.tunnelKey', 'SSH tunnel private key for {name}', { name })
    case 'ssh_tunnel_private_key_passwords':
      return t('import.tunnelKeyPassword', 'Private key password for {name}', { name })
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
