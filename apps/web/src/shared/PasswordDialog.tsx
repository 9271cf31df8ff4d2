import { Button, Dialog, ErrorPanel, Field, PasswordInput, toast, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from './api.ts'
import { boot } from './boot.ts'
import { messageOf } from './errors.ts'
import { NewPasswordFields, findInvalidField } from './NewPasswordFields.tsx'
import styles from './PasswordDialog.module.css'

/** Changes the password of the signed-in user: the old one, and the new one twice. */
export function PasswordDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const username = boot.user.username ?? ''
  const [current, setCurrent] = useState('')
  const [typed, setTyped] = useState({ password: '', repeated: '' })
  const [tried, setTried] = useState(false)
  const change = useMutation({
    mutationFn: () => api.post('/api/v1/me/password', { body: { current, password: typed.password } }),
    onSuccess: () => {
      toast(t('app.password.changed', 'Password changed. All other sessions are signed out.'))
      onClose()
    },
  })
  const submit = (): void => {
    setTried(true)
    if (current !== '' && findInvalidField(typed, username) === null) change.mutate()
  }
  const title = t('app.password.title', 'Change password')
  return (
    <Dialog
      open
      title={title}
      onClose={onClose}
      onSubmit={submit}
      dirty={typed.password !== ''}
      footer={
        <>
          <Button onClick={onClose}>{t('app.password.cancel', 'Cancel')}</Button>
          <Button type="submit" variant="primary" busy={change.isPending}>
            {title}
          </Button>
        </>
      }
    >
      <div className={styles.form}>
        {change.error && <ErrorPanel inline>{messageOf(change.error)}</ErrorPanel>}
        {/* Password managers store the username with the password. */}
        <input type="text" name="username" value={username} autoComplete="username" readOnly hidden />
        <Field
          label={t('app.password.current', 'Current password')}
          error={tried && current === '' ? t('app.password.currentFirst', 'Enter your current password') : undefined}
        >
          <PasswordInput
            name="current"
            value={current}
            onChange={setCurrent}
            autoComplete="current-password"
            data-autofocus
          />
        </Field>
        <NewPasswordFields value={typed} onChange={setTyped} username={username} tried={tried} />
      </div>
    </Dialog>
  )
}
