import { Button, Dialog, Field, PasswordInput, TextInput, useTranslate } from '@parquetry/ui'
import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useState, useSyncExternalStore } from 'react'
import { boot } from '../../shared/boot.ts'
import { messageOf } from '../../shared/errors.ts'
import { lazyComponent } from '../../shared/lazy-component.tsx'
import { resolveSignIn, isSessionOver, subscribeSession } from '../../shared/session.ts'
import { signIn } from '../../shared/sign-in.ts'
import styles from './SessionDialog.module.css'

const CodeField = lazyComponent(async () => (await import('../../shared/second-factor/CodeField.tsx')).CodeField)

/** Signs in over the page after the session ended: the page keeps its state, and the failed calls are sent again. */
export function SessionDialog() {
  const over = useSyncExternalStore(subscribeSession, isSessionOver)
  return over ? <Form /> : null
}

function Form() {
  const t = useTranslate()
  const queries = useQueryClient()
  const [username, setUsername] = useState(boot.user.username ?? '')
  const [password, setPassword] = useState('')
  const [needsCode, setNeedsCode] = useState(false)
  const [code, setCode] = useState('')
  const [busy, setBusy] = useState(false)
  const [error, setError] = useState<string>()

  const submit = async (): Promise<void> => {
    setBusy(true)
    setError(undefined)
    try {
      if (needsCode) {
        const { sendCode } = await import('../../shared/second-factor/send-code.ts')
        await sendCode(code)
      } else {
        const step = await signIn(username, password)
        // Setting up a second factor takes a page of its own.
        if (step?.step === 'set-up')
          return location.assign(`/login/?next=${encodeURIComponent(location.pathname + location.search)}`)
        if (step) {
          setNeedsCode(true)
          return setBusy(false)
        }
      }
      // Another user must not see the data of this page.
      if (username !== boot.user.username) location.reload()
      resolveSignIn(true)
      // Only failed queries are refetched. Data on the page stays, since a draft may be based on it.
      await queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
    } catch (failure) {
      setError(messageOf(failure))
      setBusy(false)
    }
  }
  return (
    <Dialog
      open
      title={t('app.session.title', 'Sign in again')}
      description={t('app.session.text', 'Your session has timed out. Sign in again; your work is kept.')}
      onClose={() => resolveSignIn(false)}
      onSubmit={() => void submit()}
      footer={
        <>
          <Button onClick={() => resolveSignIn(false)}>{t('app.session.later', 'Not now')}</Button>
          <Button type="submit" variant="primary" busy={busy}>
            {t('signIn.action', 'Sign in')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {needsCode ? (
          <Suspense>
            <CodeField value={code} onChange={setCode} error={error} autoFocus />
          </Suspense>
        ) : (
          <>
            <Field label={t('signIn.username', 'Username')}>
              <TextInput value={username} onChange={setUsername} name="username" autoComplete="username" />
            </Field>
            <Field label={t('signIn.password', 'Password')} error={error}>
              <PasswordInput
                value={password}
                onChange={setPassword}
                name="password"
                autoComplete="current-password"
                data-autofocus
              />
            </Field>
          </>
        )}
      </div>
    </Dialog>
  )
}
