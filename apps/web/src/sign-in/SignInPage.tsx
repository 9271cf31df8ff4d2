import type { SecondStep } from '@parquetry/model'
import { Button, Field, PasswordInput, TextInput, useTranslate } from '@parquetry/ui'
import { Suspense, useRef, useState } from 'react'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { lazyComponent } from '../shared/lazy-component.tsx'
import { usePage } from '../shared/page.ts'
import { signIn } from '../shared/sign-in.ts'
import { useTitle } from '../shared/use-title.ts'
import { signInPage } from './pages.ts'
import { resolveRedirect } from './resolve-redirect.ts'
import { SignInCard } from './SignInCard.tsx'
import styles from './sign-in.module.css'

const ForgotPasswordForm = lazyComponent(async () => (await import('./ForgotPasswordForm.tsx')).ForgotPasswordForm)
const SecondStepForm = lazyComponent(async () => (await import('./SecondStepForm.tsx')).SecondStepForm)

export function SignInPage() {
  const t = useTranslate()
  const { search } = usePage(signInPage)
  const title = t('signIn.title', 'Sign in')
  useTitle([title])
  const [username, setUsername] = useState('')
  const [password, setPassword] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()
  const [step, setStep] = useState(() => (boot.common['second_factor'] as SecondStep | undefined) ?? null)
  const [isAsking, setAsking] = useState(false)
  const form = useRef<HTMLFormElement>(null)

  // A full page load: the server sends the user's permissions with the page.
  const leave = (): void => location.assign(resolveRedirect(search.next))
  const submit = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      const next = await signIn(username, password)
      if (next === null) return leave()
      setStep(next)
      setBusy(false)
    } catch (failure) {
      setError(messageOf(failure))
      setBusy(false)
      form.current?.querySelector<HTMLInputElement>('[name=password]')?.select()
    }
  }
  if (step)
    return (
      <SignInCard title={title}>
        <Suspense>
          <SecondStepForm step={step} onSignedIn={leave} />
        </Suspense>
      </SignInCard>
    )
  if (isAsking)
    return (
      <SignInCard title={t('signIn.forgot.title', 'New password')}>
        <Suspense>
          <ForgotPasswordForm onBack={() => setAsking(false)} />
        </Suspense>
      </SignInCard>
    )
  return (
    <SignInCard title={title}>
      <form
        ref={form}
        method="post"
        className={styles.form}
        onSubmit={(event) => {
          event.preventDefault()
          if (!busy) void submit()
        }}
      >
        <Field label={t('signIn.username', 'Username')}>
          <TextInput
            name="username"
            value={username}
            onChange={setUsername}
            autoComplete="username"
            autoCapitalize="none"
            spellCheck={false}
            autoFocus
            required
          />
        </Field>
        <Field label={t('signIn.password', 'Password')} error={error}>
          <PasswordInput
            name="password"
            value={password}
            onChange={setPassword}
            autoComplete="current-password"
            required
          />
        </Field>
        <Button type="submit" variant="primary" busy={busy}>
          {t('signIn.action', 'Sign in')}
        </Button>
        {boot.common['can_ask_for_link'] === true && (
          <Button onClick={() => setAsking(true)}>{t('signIn.forgot.open', 'Forgot password?')}</Button>
        )}
      </form>
    </SignInCard>
  )
}
