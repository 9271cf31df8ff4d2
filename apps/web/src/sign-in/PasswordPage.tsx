import { Button, Field, PasswordInput, StatusChip, useText, type Tone } from '@parquetry/ui'
import { useRef, useState } from 'react'
import { boot } from '../shared/boot.ts'
import { csrfToken } from '../shared/csrf.ts'
import { useTitle } from '../shared/use-title.ts'
import { SignInCard } from './SignInCard.tsx'
import { strengthOf, type Strength } from './strength.ts'
import styles from './sign-in.module.css'

const tones: Record<Strength, Tone> = { short: 'danger', weak: 'warning', fair: 'info', strong: 'success' }

/** "Set your password", opened by a one-time link. A plain form: the server signs in and leads home. */
export function PasswordPage() {
  const t = useText()
  const title = t('signIn.setPassword', 'Set your password')
  useTitle([title])
  const [password, setPassword] = useState('')
  const [repeated, setRepeated] = useState('')
  const [tried, setTried] = useState(false)
  const form = useRef<HTMLFormElement>(null)
  const { username } = (boot.common['one_time_link'] ?? {}) as { username?: string }

  const strength = strengthOf(password)
  const words: Record<Strength, string> = {
    short: t('signIn.strength.short', 'Too short'),
    weak: t('signIn.strength.weak', 'Easy to guess'),
    fair: t('signIn.strength.fair', 'Fair'),
    strong: t('signIn.strength.strong', 'Strong'),
  }
  const problem = strength === 'short' ? t('signIn.short', 'Use at least 8 characters.') : undefined
  const differs = repeated !== password ? t('signIn.differs', 'The two passwords differ.') : undefined
  return (
    <SignInCard title={title}>
      <form
        ref={form}
        method="post"
        className={styles.form}
        onSubmit={(event) => {
          setTried(true)
          if (problem === undefined && differs === undefined) return
          event.preventDefault()
          form.current?.querySelector<HTMLInputElement>(problem ? '[name=password]' : '[name=repeated]')?.focus()
        }}
      >
        <input type="hidden" name="csrf_token" value={csrfToken()} />
        {/* Password managers keep the name with the password. */}
        <input type="text" name="username" value={username ?? ''} autoComplete="username" readOnly hidden />
        {username && <p className={styles.who}>{t('signIn.for', 'For {username}', { username })}</p>}
        <Field
          label={t('signIn.newPassword', 'New password')}
          error={tried ? problem : undefined}
          aside={
            password !== '' && (
              <StatusChip tone={tones[strength]}>
                <span role="status">{words[strength]}</span>
              </StatusChip>
            )
          }
        >
          <PasswordInput
            name="password"
            value={password}
            onChange={setPassword}
            autoComplete="new-password"
            autoFocus
          />
        </Field>
        <Field label={t('signIn.repeat', 'The same again')} error={tried ? differs : undefined}>
          <PasswordInput name="repeated" value={repeated} onChange={setRepeated} autoComplete="new-password" />
        </Field>
        <Button type="submit" variant="primary">
          {t('signIn.save', 'Save and sign in')}
        </Button>
      </form>
    </SignInCard>
  )
}
