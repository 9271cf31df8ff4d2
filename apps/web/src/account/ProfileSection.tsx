import { ApiError } from '@parquetry/client'
import { Button, ErrorPanel, Field, TextInput, toast, useTranslate } from '@parquetry/ui'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { describeBuiltIn } from '../shared/describe-built-in.ts'
import { can } from '../shared/rights.ts'
import { AccountSection } from './AccountSection.tsx'
import { SectionBody } from './SectionBody.tsx'
import styles from './account.module.css'

interface Names {
  first_name: string
  last_name: string
  email: string
}

/** Name, email address and roles of the signed-in user. */
export function ProfileSection() {
  const t = useTranslate()
  const me = useQuery({
    queryKey: ['me'],
    queryFn: async ({ signal }) => (await api.get('/api/v1/me/', { signal })).result,
    gcTime: 0,
  })
  return (
    <AccountSection title={t('account.profile', 'Profile')}>
      <SectionBody query={me}>{(data) => <Form key={JSON.stringify(data)} me={data} />}</SectionBody>
    </AccountSection>
  )
}

const fieldsOfForm = ['first_name', 'last_name', 'email'] as const

function Form({ me }: { me: Names & { username: string } }) {
  const t = useTranslate()
  const queries = useQueryClient()
  const [draft, setDraft] = useState<Names>({ first_name: me.first_name, last_name: me.last_name, email: me.email })
  const changed = fieldsOfForm.filter((field) => draft[field].trim() !== me[field])
  const empty = changed.find((field) => draft[field].trim() === '')
  const save = useMutation({
    mutationFn: () =>
      api.put('/api/v1/me/', { body: Object.fromEntries(changed.map((field) => [field, draft[field].trim()])) }),
    onSuccess: async () => {
      toast(t('account.saved', 'Profile saved'))
      await queries.invalidateQueries({ queryKey: ['me'] })
    },
  })
  const errors = save.error instanceof ApiError ? save.error.fields : {}
  const other = save.error && !fieldsOfForm.some((field) => errors[field]) ? messageOf(save.error) : undefined
  const mayWrite = can('can_write', 'CurrentUserRestApi')
  const input = (field: keyof Names, maxLength: number, type?: 'email') => (
    <TextInput
      {...(type && { type })}
      value={draft[field]}
      onChange={(value) => setDraft({ ...draft, [field]: value })}
      maxLength={maxLength}
      readOnly={!mayWrite}
      autoComplete={{ first_name: 'given-name', last_name: 'family-name', email: 'email' }[field]}
    />
  )
  const missing =
    changed.length === 0
      ? t('account.nothingChanged', 'Nothing has changed')
      : empty
        ? t('account.emptyField', 'Fill in the empty field')
        : undefined
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (missing === undefined && !save.isPending) save.mutate()
      }}
    >
      {other && <ErrorPanel inline>{other}</ErrorPanel>}
      <div className={styles.two}>
        <Field label={t('account.firstName', 'First name')} error={errors['first_name']?.[0]}>
          {input('first_name', 64)}
        </Field>
        <Field label={t('account.lastName', 'Last name')} error={errors['last_name']?.[0]}>
          {input('last_name', 64)}
        </Field>
      </div>
      <Field label={t('account.email', 'Email')} error={errors['email']?.[0]}>
        {input('email', 320, 'email')}
      </Field>
      <dl className={styles.profile}>
        <dt>{t('account.username', 'Username')}</dt>
        <dd>{me.username}</dd>
        <dt>{t('account.roles', 'Roles')}</dt>
        <dd>
          {Object.keys(boot.user.roles).map((name) => {
            const text = describeBuiltIn(t, name)
            return (
              <p key={name} className={styles.role}>
                {name}
                {text && <span>{text}</span>}
              </p>
            )
          })}
        </dd>
      </dl>
      {mayWrite && (
        <div>
          <Button type="submit" variant="primary" busy={save.isPending} disabledReason={missing}>
            {t('account.save', 'Save')}
          </Button>
        </div>
      )}
    </form>
  )
}
