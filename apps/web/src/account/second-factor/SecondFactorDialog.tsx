import { ApiError } from '@parquetry/client'
import { Button, Dialog, ErrorPanel, Field, PasswordInput, toast, useTranslate, type Translate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../shared/api.ts'
import { messageOf } from '../../shared/errors.ts'
import { AuthenticatorSecret } from '../../shared/second-factor/AuthenticatorSecret.tsx'
import { CodeField } from '../../shared/second-factor/CodeField.tsx'
import { RecoveryCodes } from '../../shared/second-factor/RecoveryCodes.tsx'
import styles from '../account.module.css'

export type SecondFactorAction = 'set-up' | 'codes' | 'remove'

export interface SecondFactorDialogProps {
  action: SecondFactorAction
  onClose(): void
  onChanged(): void
}

const titleOf = (t: Translate, action: SecondFactorAction): string =>
  ({
    'set-up': t('account.factor.setUpTitle', 'Set up a second factor'),
    codes: t('account.factor.newCodes', 'New recovery codes'),
    remove: t('account.factor.removeTitle', 'Turn off the second factor'),
  })[action]

const errorOf = (error: unknown, field: string): string | undefined =>
  error instanceof ApiError ? error.fields[field]?.[0] : undefined

/** Asks for the password, and then for a first code, or shows new recovery codes. */
export function SecondFactorDialog({ action, onClose, onChanged }: SecondFactorDialogProps) {
  const t = useTranslate()
  const [password, setPassword] = useState('')
  const [code, setCode] = useState('')
  const begin = useMutation({
    mutationFn: async () => {
      const body = { current_password: password }
      if (action === 'set-up') return { secret: (await api.post('/api/v1/me/second_factor/', { body })).result }
      if (action === 'codes')
        return { codes: (await api.post('/api/v1/me/second_factor/recovery_codes', { body })).result.recovery_codes }
      await api.post('/api/v1/me/second_factor/disable', { body })
      return {}
    },
    onSuccess: () => {
      onChanged()
      if (action !== 'remove') return
      toast(t('account.factor.removed', 'The second factor is off.'))
      onClose()
    },
  })
  const confirmed = useMutation({
    mutationFn: async () => (await api.put('/api/v1/me/second_factor/', { body: { code } })).result.recovery_codes,
    onSuccess: onChanged,
  })
  const title = titleOf(t, action)
  const codes = confirmed.data ?? begin.data?.codes
  if (codes)
    return (
      <Dialog
        open
        title={title}
        onClose={onClose}
        footer={
          <Button variant="primary" onClick={onClose}>
            {t('signIn.saved', 'I have saved them')}
          </Button>
        }
      >
        <RecoveryCodes codes={codes} />
      </Dialog>
    )
  const secret = begin.data?.secret
  const current = secret ? confirmed : begin
  const field = secret ? 'code' : 'current_password'
  const fieldError = errorOf(current.error, field)
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      onSubmit={() => {
        if (current.isPending || (secret ? code : password) === '') return
        current.mutate()
      }}
      footer={
        <>
          <Button onClick={onClose}>{t('account.cancel', 'Cancel')}</Button>
          <Button type="submit" variant={action === 'remove' ? 'danger' : 'primary'} busy={current.isPending}>
            {action === 'remove'
              ? t('account.factor.remove', 'Turn off')
              : secret
                ? t('account.factor.turnOn', 'Turn on')
                : t('account.factor.continue', 'Continue')}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {current.error && fieldError === undefined && <ErrorPanel inline>{messageOf(current.error)}</ErrorPanel>}
        {secret ? (
          <>
            <AuthenticatorSecret {...secret} />
            <CodeField value={code} onChange={setCode} error={fieldError} appOnly autoFocus />
          </>
        ) : (
          <Field label={t('app.password.current', 'Current password')} error={fieldError}>
            <PasswordInput
              name="current"
              value={password}
              onChange={setPassword}
              autoComplete="current-password"
              data-autofocus
            />
          </Field>
        )}
      </div>
    </Dialog>
  )
}
