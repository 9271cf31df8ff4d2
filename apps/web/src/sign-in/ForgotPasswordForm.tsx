import { Banner, Button, Field, TextInput, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../shared/api.ts'
import { messageOf } from '../shared/errors.ts'
import styles from './sign-in.module.css'

/** Asks for a link for a new password. The answer does not say whether the address has an account. */
export function ForgotPasswordForm({ onBack }: { onBack(): void }) {
  const t = useTranslate()
  const [email, setEmail] = useState('')
  const ask = useMutation({
    mutationFn: async () => (await api.post('/api/v1/security/forgot_password', { body: { email } })).message,
  })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!ask.isPending) ask.mutate()
      }}
    >
      {ask.data !== undefined && (
        <Banner inline tone="info">
          {ask.data}
        </Banner>
      )}
      <Field
        label={t('signIn.forgot.email', 'Email')}
        help={t('signIn.forgot.help', 'You get a link with which you can choose a new password.')}
        error={ask.error ? messageOf(ask.error) : undefined}
      >
        <TextInput
          name="email"
          value={email}
          onChange={setEmail}
          autoComplete="email"
          autoCapitalize="none"
          inputMode="email"
          spellCheck={false}
          autoFocus
          required
        />
      </Field>
      <Button type="submit" variant="primary" busy={ask.isPending}>
        {t('signIn.forgot.send', 'Send link')}
      </Button>
      <Button onClick={onBack}>{t('signIn.forgot.back', 'Back to sign-in')}</Button>
    </form>
  )
}
