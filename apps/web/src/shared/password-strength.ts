import { findPasswordProblem, type PasswordPolicy } from '@parquetry/model'

export type PasswordStrength = 'short' | 'weak' | 'fair' | 'strong'

/** Roughly rates how hard a password is to guess; passwords that the server refuses are at most weak. */
export function ratePassword(password: string, username: string, policy?: PasswordPolicy): PasswordStrength {
  const fault = findPasswordProblem(password, username, policy)
  if (fault) return fault === 'short' ? 'short' : 'weak'
  const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\d/, /[^\p{L}\d]/u].filter((kind) => kind.test(password)).length
  const points = new Set(password).size + (kinds - 1) * 2
  return points < 10 ? 'weak' : points < 15 ? 'fair' : 'strong'
}
