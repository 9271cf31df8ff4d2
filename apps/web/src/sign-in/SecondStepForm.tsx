import { ApiError } from '@parquetry/client'
import type { SecondStep } from '@parquetry/model'
import { Button, ErrorPanel, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../shared/errors.ts'
import { AuthenticatorSecret } from '../shared/second-factor/AuthenticatorSecret.tsx'
import { CodeField } from '../shared/second-factor/CodeField.tsx'
import { RecoveryCodes } from '../shared/second-factor/RecoveryCodes.tsx'
import { sendCode } from '../shared/second-factor/send-code.ts'
import styles from './sign-in.module.css'

/** Asks for the code of the second factor, or sets one up, after the password was correct. */
export function SecondStepForm({ step, onSignedIn }: { step: SecondStep; onSignedIn(): void }) {
  const t = useTranslate()
  const [code, setCode] = useState('')
  const send = useMutation({
    mutationFn: () => sendCode(code),
    onSuccess: (codes) => codes === undefined && onSignedIn(),
  })
  if (send.data !== undefined)
    return (
      <div className={styles.form}>
        <RecoveryCodes codes={send.data} />
        <Button variant="primary" onClick={onSignedIn}>
          {t('signIn.saved', 'I have saved them')}
        </Button>
      </div>
    )
  const fieldError = send.error instanceof ApiError ? send.error.fields['code']?.[0] : undefined
  const isSetUp = step.step === 'set-up'
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!send.isPending && !send.isSuccess) send.mutate()
      }}
    >
      {isSetUp && (
        <>
          <p className={styles.who}>
            {t('signIn.secondFactorRequired', 'Your account requires a second factor: codes of an authenticator app.')}
          </p>
          <AuthenticatorSecret secret={step.secret} uri={step.uri} />
        </>
      )}
      {send.error && fieldError === undefined && <ErrorPanel inline>{messageOf(send.error)}</ErrorPanel>}
      <CodeField value={code} onChange={setCode} error={fieldError} appOnly={isSetUp} autoFocus />
      <Button type="submit" variant="primary" busy={send.isPending || send.isSuccess}>
        {t('signIn.action', 'Sign in')}
      </Button>
      <Button variant="quiet" onClick={() => location.assign('/logout/')}>
        {t('signIn.back', 'Use another account')}
      </Button>
    </form>
  )
}
