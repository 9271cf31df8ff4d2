import { ApiError } from '@parquetry/client'
import { Button, ErrorPanel, Field, TextInput, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { NewPasswordFields, findInvalidField } from '../shared/NewPasswordFields.tsx'
import { usePage } from '../shared/page.ts'
import { useTitle } from '../shared/use-title.ts'
import { invitationPage } from './pages.ts'
import { SignInCard } from './SignInCard.tsx'
import styles from './sign-in.module.css'

interface InvitedUser {
  username: string | null
  first_name: string
  last_name: string
  email: string
}

/** An invited person chooses a username and a password, and is signed in. */
export function InvitationPage() {
  const t = useTranslate()
  const title = t('signIn.invited', 'Create your account')
  useTitle([title])
  const { params } = usePage(invitationPage)
  const [invited] = useState(() => boot.common['invitation'] as InvitedUser)
  const [names, setNames] = useState({ ...invited, username: invited.username ?? '' })
  const [typed, setTyped] = useState({ password: '', repeated: '' })
  const [tried, setTried] = useState(false)
  const username = names.username.trim()
  const accept = useMutation({
    mutationFn: () =>
      api.post('/api/v1/security/invitations/accept', {
        body: { token: params['token'] ?? '', ...names, password: typed.password },
      }),
    // A full page load: the server sends the user's permissions with the page.
    onSuccess: ({ signed_in }) => location.assign(signed_in ? '/superset/welcome/' : '/login/'),
  })
  const fields = accept.error instanceof ApiError ? accept.error.fields : {}
  const errorOf = (field: string): string | undefined => fields[field]?.[0]
  const isOther = accept.error && !['username', 'first_name', 'last_name', 'email', 'password'].some(errorOf)
  const set = (change: Partial<typeof names>): void => setNames((before) => ({ ...before, ...change }))
  return (
    <SignInCard title={title}>
      <form
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          setTried(true)
          if (username !== '' && findInvalidField(typed, username) === null && !accept.isPending) accept.mutate()
        }}
      >
        {isOther && <ErrorPanel inline>{messageOf(accept.error)}</ErrorPanel>}
        {errorOf('password') && <ErrorPanel inline>{errorOf('password')}</ErrorPanel>}
        <Field
          label={t('signIn.username', 'Username')}
          error={
            errorOf('username') ??
            (tried && username === '' ? t('signIn.usernameMissing', 'Enter a username') : undefined)
          }
        >
          <TextInput
            name="username"
            value={names.username}
            onChange={(value) => set({ username: value })}
            readOnly={invited.username !== null}
            maxLength={250}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus={invited.username === null}
          />
        </Field>
        <Field label={t('signIn.firstName', 'First name')} error={errorOf('first_name')}>
          <TextInput
            value={names.first_name}
            onChange={(first_name) => set({ first_name })}
            maxLength={64}
            autoComplete="given-name"
          />
        </Field>
        <Field label={t('signIn.lastName', 'Last name')} error={errorOf('last_name')}>
          <TextInput
            value={names.last_name}
            onChange={(last_name) => set({ last_name })}
            maxLength={64}
            autoComplete="family-name"
          />
        </Field>
        <Field label={t('signIn.email', 'Email')} error={errorOf('email')}>
          <TextInput
            value={names.email}
            onChange={(email) => set({ email })}
            maxLength={320}
            autoComplete="email"
            inputMode="email"
          />
        </Field>
        <NewPasswordFields value={typed} onChange={setTyped} username={username} tried={tried} />
        <Button type="submit" variant="primary" busy={accept.isPending || accept.isSuccess}>
          {t('signIn.createAccount', 'Create account')}
        </Button>
      </form>
    </SignInCard>
  )
}
