import { Button, useTranslate } from '@parquetry/ui'
import { useRef, useState } from 'react'
import { boot } from '../shared/boot.ts'
import { csrfToken } from '../shared/csrf.ts'
import { NewPasswordFields, findInvalidField } from '../shared/NewPasswordFields.tsx'
import { useTitle } from '../shared/use-title.ts'
import { SignInCard } from './SignInCard.tsx'
import styles from './sign-in.module.css'

/** "Set your password", opened by a one-time link. A plain form: the server signs in and redirects home. */
export function PasswordPage() {
  const t = useTranslate()
  const title = t('signIn.setPassword', 'Set your password')
  useTitle([title])
  const [typed, setTyped] = useState({ password: '', repeated: '' })
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const [isSent, setSent] = useState(false)
  const { username = '' } = (boot.common['one_time_link'] ?? {}) as { username?: string }
  return (
    <SignInCard title={title}>
      <form
        ref={form}
        method="post"
        className={styles.form}
        onSubmit={(event) => {
          setTried(true)
          const problem = findInvalidField(typed, username)
          // The link works once: a second submit would report it as expired.
          if (isSent || problem !== null) event.preventDefault()
          if (problem === null) return setSent(true)
          form.current?.querySelector<HTMLInputElement>(`[name=${problem}]`)?.focus()
        }}
      >
        <input type="hidden" name="csrf_token" value={csrfToken()} />
        {/* Password managers store the username with the password. */}
        <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
        {username && <p className={styles.who}>{t('signIn.for', 'For {username}', { username })}</p>}
        <NewPasswordFields value={typed} onChange={setTyped} username={username} tried={tried} autoFocus />
        <Button type="submit" variant="primary" busy={isSent}>
          {t('signIn.save', 'Save and sign in')}
        </Button>
      </form>
    </SignInCard>
  )
}
