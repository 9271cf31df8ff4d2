import { Button, Checkbox, Field, IconButton, NumberInput, PasswordInput, TextInput, useTranslate } from '@parquetry/ui'
import { secretMask, type ConnectionField, type Pair, type ConnectionParameters } from './connection.ts'
import styles from './connect.module.css'

type Value = ConnectionParameters[string]

export interface ParameterFieldProps {
  field: ConnectionField
  value: Value | undefined
  error: string | undefined
  onChange(value: Value | null): void
  onBlur(): void
}

/** Input for one parameter of an engine, by its kind. */
export function ParameterField({ field, value, error, onChange, onBlur }: ParameterFieldProps) {
  const t = useTranslate()
  const { name, kind, required, minimum, maximum } = field
  const labels: Record<string, string> = {
    host: t('lists.connect.host', 'Host'),
    port: t('lists.connect.port', 'Port'),
    database: t('lists.connect.database', 'Database'),
    catalog: t('lists.connect.catalog', 'Catalog'),
    schema: t('lists.connect.schema', 'Schema'),
    username: t('lists.connect.username', 'Username'),
    password: t('lists.connect.password', 'Password'),
    encryption: t('lists.connect.encryption', 'Encrypt connection (SSL)'),
    query: t('lists.connect.query', 'Additional parameters'),
    path: t('lists.connect.path', 'Path'),
  }
  const helps: Record<string, string> = {
    host: t('lists.connect.hostHelp', 'Host name or IP address, without http://'),
  }
  const label = labels[name] ?? field.label
  const help = field.help || helps[name]
  const text = typeof value === 'string' ? value : ''
  if (kind === 'flag')
    return (
      <div className={styles.flag}>
        <Checkbox label={label} help={help} checked={value === true} onChange={(on) => onChange(on || null)} />
      </div>
    )
  if (kind === 'pairs')
    return (
      <PairsField
        label={label}
        names={field.names}
        value={typeof value === 'object' ? value : []}
        error={error}
        onChange={onChange}
      />
    )
  return (
    <Field label={label} required={required} error={error} help={help}>
      {kind === 'number' ? (
        <NumberInput
          integer
          value={typeof value === 'number' ? value : null}
          onChange={onChange}
          onBlur={onBlur}
          {...(minimum !== undefined && { min: minimum })}
          {...(maximum !== undefined && { max: maximum })}
        />
      ) : kind === 'secret' ? (
        <SecretInput value={text} onChange={onChange} onBlur={onBlur} />
      ) : (
        <TextInput value={text} onChange={onChange} onBlur={onBlur} spellCheck={false} autoCapitalize="none" />
      )}
    </Field>
  )
}

/** A stored secret appears as dots and stays until another value is typed. */
export function SecretInput({
  value,
  onChange,
  onBlur,
}: {
  value: string
  onChange(value: string): void
  onBlur?(): void
}) {
  const t = useTranslate()
  const isStored = value === secretMask
  return (
    <PasswordInput
      value={isStored ? '' : value}
      onChange={onChange}
      onBlur={onBlur}
      autoComplete="off"
      placeholder={isStored ? '••••••••' : undefined}
      title={isStored ? t('lists.connect.kept', 'A value is saved. Type to replace it.') : undefined}
    />
  )
}

interface PairsFieldProps {
  label: string
  names: readonly string[] | null
  value: readonly Pair[]
  error: string | undefined
  onChange(value: readonly Pair[]): void
}

function PairsField({ label, names, value, error, onChange }: PairsFieldProps) {
  const t = useTranslate()
  const help = names?.length
    ? t('lists.connect.queryHelp', 'Allowed parameters: {names}', { names: names.join(', ') })
    : undefined
  const set = (at: number, pair: Pair) => onChange(value.map((one, index) => (index === at ? pair : one)))
  return (
    <div className={styles.wide}>
      <Field group label={label} error={error} help={help}>
        <div className={styles.pairs}>
          {value.map(([name, text], index) => (
            // A pair has no stable key while it is edited.
            // oxlint-disable-next-line react/no-array-index-key
            <div key={index} className={styles.pair}>
              <TextInput
                mono
                aria-label={t('lists.connect.pairName', 'Parameter {n} name', { n: index + 1 })}
                value={name}
                onChange={(changed) => set(index, [changed, text])}
                spellCheck={false}
                autoCapitalize="none"
              />
              <TextInput
                mono
                aria-label={t('lists.connect.pairValue', 'Parameter {n} value', { n: index + 1 })}
                value={text}
                onChange={(changed) => set(index, [name, changed])}
                spellCheck={false}
                autoCapitalize="none"
              />
              <IconButton
                icon="close"
                label={t('lists.connect.pairRemove', 'Remove parameter {n}', { n: index + 1 })}
                onClick={() => onChange(value.toSpliced(index, 1))}
              />
            </div>
          ))}
          <Button variant="quiet" icon="plus" onClick={() => onChange([...value, ['', '']])}>
            {t('lists.connect.pairAdd', 'Add parameter')}
          </Button>
        </div>
      </Field>
    </div>
  )
}
