import type { ImportSecretField } from '@parquetry/model'
import { Field, PasswordInput, TextArea, useTranslate, type Translate } from '@parquetry/ui'
import type { ImportSecrets } from './import-call.ts'
import type { RequiredSecret } from './selection.ts'
import styles from './import.module.css'

export interface SecretFieldsProps {
  required: readonly RequiredSecret[]
  secrets: ImportSecrets
  /** Number of objects that need the database of a path. */
  usersOf(path: string): number
  onChange(secrets: ImportSecrets): void
}

/** LIST-019 to LIST-022: asks for the secrets of databases, which bundles do not contain. */
export function SecretFields({ required, secrets, usersOf, onChange }: SecretFieldsProps) {
  const t = useTranslate()
  if (required.length === 0) return null
  return (
    <section className={styles.secrets} aria-label={t('import.secrets', 'Passwords')}>
      <p>{t('import.secretsText', 'Exports contain no passwords. Enter those of the databases that are imported.')}</p>
      {[...new Map(required.map(({ path, name }) => [path, name]))].map(([path, name]) => (
        <p key={path} className={styles.quiet}>
          {t(
            'import.secretUsers',
            '{n, plural, =0 {If you don’t have them, uncheck {name} below.} one {# object needs {name}. If you don’t have its secrets, uncheck it below: that object is left out with it.} other {# objects need {name}. If you don’t have its secrets, uncheck it below: they are left out with it.}}',
            { n: usersOf(path), name },
          )}
        </p>
      ))}
      {required.map(({ path, name, field }) => {
        const value = secrets[field]?.[path] ?? ''
        const change = (next: string): void => onChange({ ...secrets, [field]: { ...secrets[field], [path]: next } })
        return (
          <Field key={`${field} ${path}`} label={formatLabel(t, field, name)} required>
            {field === 'ssh_tunnel_private_keys' ? (
              <TextArea value={value} onChange={change} rows={4} />
            ) : (
              <PasswordInput value={value} onChange={change} autoComplete="off" />
            )}
          </Field>
        )
      })}
    </section>
  )
}

function formatLabel(t: Translate, field: ImportSecretField, name: string): string {
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
