import { findPasswordProblem, type PasswordProblem } from '@parquetry/model'
import { Field, PasswordInput, StatusChip, useTranslate, type Tone } from '@parquetry/ui'
import { passwordLengthRule, passwordPolicy } from './password-policy.ts'
import { ratePassword, type PasswordStrength } from './password-strength.ts'

export interface NewPasswordValue {
  password: string
  repeated: string
}

/** Returns the first invalid field of a new password; null when both are valid. */
export function findInvalidField(
  { password, repeated }: NewPasswordValue,
  username: string,
): keyof NewPasswordValue | null {
  if (findPasswordProblem(password, username, passwordPolicy)) return 'password'
  return repeated === password ? null : 'repeated'
}

const tones: Record<PasswordStrength, Tone> = { short: 'danger', weak: 'warning', fair: 'info', strong: 'success' }

export interface NewPasswordFieldsProps {
  value: NewPasswordValue
  onChange(value: NewPasswordValue): void
  /** Owner of the password, which must differ from the username. */
  username: string
  /** Submitting was attempted: errors are shown. */
  tried: boolean
  autoFocus?: boolean
}

/** Fields for a new password, typed twice, with a strength label. */
export function NewPasswordFields({ value, onChange, username, tried, autoFocus = false }: NewPasswordFieldsProps) {
  const t = useTranslate()
  const { password, repeated } = value
  const strength = ratePassword(password, username, passwordPolicy)
  const fault = tried ? findPasswordProblem(password, username, passwordPolicy) : undefined
  const faults: Record<PasswordProblem, string> = {
    short: passwordLengthRule(t),
    long: t('signIn.long', 'Use at most 1,024 characters.'),
    common: t('signIn.common', 'This password is too common. Choose another one.'),
    name: t('signIn.asName', 'The password can’t be the same as the username.'),
  }
  const strengthLabels: Record<PasswordStrength, string> = {
    short: t('signIn.strength.short', 'Too short'),
    weak: t('signIn.strength.weak', 'Easy to guess'),
    fair: t('signIn.strength.fair', 'Fair'),
    strong: t('signIn.strength.strong', 'Strong'),
  }
  return (
    <>
      <Field
        label={t('signIn.newPassword', 'New password')}
        error={fault && faults[fault]}
        aside={
          password !== '' && (
            <StatusChip tone={tones[strength]}>
              <span role="status">{strengthLabels[strength]}</span>
            </StatusChip>
          )
        }
      >
        <PasswordInput
          name="password"
          value={password}
          onChange={(next) => onChange({ password: next, repeated })}
          autoComplete="new-password"
          autoFocus={autoFocus}
        />
      </Field>
      <Field
        label={t('signIn.repeat', 'Repeat password')}
        error={tried && repeated !== password ? t('signIn.differs', 'The passwords don’t match.') : undefined}
      >
        <PasswordInput
          name="repeated"
          value={repeated}
          onChange={(next) => onChange({ password, repeated: next })}
          autoComplete="new-password"
        />
      </Field>
    </>
  )
}
