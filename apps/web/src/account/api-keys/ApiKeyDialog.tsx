import { ApiError } from '@parquetry/client'
import { formatScope, type ScopeAction, type ScopeResource } from '@parquetry/model/api-key-scopes'
import {
  Banner,
  Button,
  Checkbox,
  Dialog,
  ErrorPanel,
  Field,
  RadioGroup,
  Select,
  TextInput,
  useTranslate,
} from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { formatDate } from '../../shared/formats.ts'
import styles from '../account.module.css'
import { OneTimeSecret } from '../OneTimeSecret.tsx'
import { offeredResources, readOnlyScopes, scopeLabels } from './scope-labels.ts'

const dayMs = 86_400_000
const lifetimes = ['7', '30', '90', '365', 'never'] as const
type Lifetime = (typeof lifetimes)[number]
type Access = 'all' | 'read' | 'some'

const expiryOf = (lifetime: Lifetime): Date | null =>
  lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * dayMs)

/** Creates an API key and shows it once. */
export function ApiKeyDialog({ onClose, onCreated }: { onClose(): void; onCreated(): void }) {
  const t = useTranslate()
  const [name, setName] = useState('')
  const [lifetime, setLifetime] = useState<Lifetime>('90')
  const [access, setAccess] = useState<Access>('all')
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const create = useMutation({
    mutationFn: async () => {
      const scopes = access === 'all' ? null : access === 'read' ? readOnlyScopes : [...chosen]
      const { result } = await api.post('/api/v1/security/api_keys/', {
        body: {
          name: name.trim(),
          scopes: scopes?.join(',') ?? null,
          expires_on: expiryOf(lifetime)?.toISOString() ?? null,
        },
      })
      return result
    },
    onSuccess: onCreated,
  })
  if (create.data) return <CreatedKey name={create.data.name} value={create.data.key} onClose={onClose} />
  const missing =
    name.trim() === ''
      ? t('account.key.nameMissing', 'Enter a name')
      : access === 'some' && chosen.size === 0
        ? t('account.key.scopeMissing', 'Select at least one scope')
        : undefined
  const fields = create.error instanceof ApiError ? create.error.fields : {}
  const errorOf = (field: string): string | undefined => fields[field]?.[0]
  const isOther = create.error && !['name', 'scopes', 'expires_on'].some(errorOf)
  const lifetimeLabel = (value: Lifetime): string => {
    const date = expiryOf(value)
    return date === null
      ? t('account.key.never', 'Never')
      : t('account.key.days', '{days, plural, one {# day} other {# days}} ({date})', {
          days: Number(value),
          date: formatDate(date),
        })
  }
  return (
    <Dialog
      open
      title={t('account.key.create', 'Create API key')}
      onClose={onClose}
      dirty={name !== ''}
      onSubmit={() => missing === undefined && !create.isPending && create.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('account.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={create.isPending} disabledReason={missing}>
            {t('account.key.create', 'Create API key')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {isOther && <ErrorPanel inline>{messageOf(create.error)}</ErrorPanel>}
        <Field
          label={t('account.key.name', 'Name')}
          help={t('account.key.nameHelp', 'The program that will use the key, such as “Nightly export”.')}
          required
          error={errorOf('name')}
        >
          <TextInput value={name} onChange={setName} maxLength={250} data-autofocus />
        </Field>
        <Field label={t('account.key.expiry', 'Expires')} error={errorOf('expires_on')}>
          <Select
            value={lifetime}
            onChange={(value) => setLifetime(lifetimes.find((each) => each === value) ?? '90')}
            options={lifetimes.map((value) => ({ value, label: lifetimeLabel(value) }))}
          />
        </Field>
        <Field label={t('account.key.access', 'Access')} group error={errorOf('scopes')}>
          <RadioGroup<Access>
            value={access}
            onChange={setAccess}
            label={t('account.key.access', 'Access')}
            options={[
              {
                value: 'all',
                label: t('account.scope.all', 'Full access'),
                help: t('account.key.allHelp', 'Everything that you may do, except changing how you sign in.'),
              },
              {
                value: 'read',
                label: t('account.scope.readOnly', 'Read only'),
                help: t('account.key.readHelp', 'Everything that you may see. Changes nothing and runs no SQL.'),
              },
              { value: 'some', label: t('account.key.someLabel', 'Selected scopes') },
            ]}
          />
        </Field>
        {access === 'some' && <ScopeTable chosen={chosen} onChange={setChosen} />}
      </div>
    </Dialog>
  )
}

interface ScopeTableProps {
  chosen: ReadonlySet<string>
  onChange(chosen: ReadonlySet<string>): void
}

function ScopeTable({ chosen, onChange }: ScopeTableProps) {
  const t = useTranslate()
  const labels = scopeLabels(t)
  const actions: Record<ScopeAction, string> = {
    read: t('account.scope.read', 'Read'),
    write: t('account.scope.write', 'Change'),
  }
  const toggle = (scope: string, isOn: boolean): void =>
    onChange(new Set(isOn ? [...chosen, scope] : [...chosen].filter((each) => each !== scope)))
  const cell = (resource: ScopeResource, action: ScopeAction) => (
    <td>
      <Checkbox
        checked={chosen.has(formatScope(resource, action))}
        onChange={(isOn) => toggle(formatScope(resource, action), isOn)}
        aria-label={`${labels[resource]}: ${actions[action]}`}
      />
    </td>
  )
  return (
    <table className={styles.scopes}>
      <thead>
        <tr>
          <th scope="col">{t('account.scope.resource', 'Area')}</th>
          <th scope="col">{actions.read}</th>
          <th scope="col">{actions.write}</th>
        </tr>
      </thead>
      <tbody>
        {offeredResources.map((resource) => (
          <tr key={resource}>
            <th scope="row">{labels[resource]}</th>
            {cell(resource, 'read')}
            {cell(resource, 'write')}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function CreatedKey({ name, value, onClose }: { name: string; value: string; onClose(): void }) {
  const t = useTranslate()
  return (
    <Dialog
      open
      title={t('account.key.created', 'API key created')}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('account.done', 'Done')}</Button>}
    >
      <div className={styles.form}>
        <Banner inline tone="warning">
          {t('account.key.once', 'Copy the key now. It is not shown again.')}
        </Banner>
        <OneTimeSecret label={name} value={value} copied={t('account.key.copied', 'API key copied')} />
        <Field label={t('account.key.example', 'Example')}>
          <pre
            className={styles.code}
          >{`curl -H "Authorization: Bearer ${value}" \\\n  ${location.origin}/api/v1/chart/`}</pre>
        </Field>
      </div>
    </Dialog>
  )
}
