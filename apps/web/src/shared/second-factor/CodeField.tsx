import { Field, TextInput, useTranslate } from '@parquetry/ui'

export interface CodeFieldProps {
  value: string
  onChange(value: string): void
  error?: string | undefined
  /** A code of the app only: for the first one there are no recovery codes. */
  appOnly?: boolean
  autoFocus?: boolean
}

/** The code of an authenticator app, or a recovery code. */
export function CodeField({ value, onChange, error, appOnly = false, autoFocus = false }: CodeFieldProps) {
  const t = useTranslate()
  return (
    <Field
      label={t('secondFactor.code', 'Code')}
      help={
        appOnly
          ? t('secondFactor.codeOfApp', 'The 6 digits that your app shows.')
          : t('secondFactor.codeHelp', 'The 6 digits that your authenticator app shows, or a recovery code.')
      }
      error={error}
    >
      <TextInput
        name="code"
        value={value}
        onChange={onChange}
        autoComplete="one-time-code"
        inputMode={appOnly ? 'numeric' : 'text'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={64}
        autoFocus={autoFocus}
        data-autofocus
        required
      />
    </Field>
  )
}
