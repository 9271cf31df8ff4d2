/** Fault of a new password: too short, too long, too common, or the user's own name. */
export type PasswordProblem = 'short' | 'long' | 'common' | 'name'

const maxLength = 1024

/** Settings for new passwords. There are no composition rules. */
export interface PasswordPolicy {
  /** FAB_PASSWORD_COMPLEXITY_ENABLED: without it only empty and very long passwords are rejected. */
  isEnabled: boolean
  /** AUTH_PASSWORD_MIN_LENGTH, in characters. */
  minLength: number
  /** AUTH_PASSWORD_COMMON_BLOCKLIST: extends the built-in list. */
  blocklist: readonly string[]
}

export const defaultPasswordPolicy: PasswordPolicy = { isEnabled: true, minLength: 8, blocklist: [] }

const common = new Set(
  (
    'password passw0rd 12345678 123456789 1234567890 qwertyuiop qwerty123 iloveyou sunshine princess football baseball welcome1 ' +
    'superman trustno1 letmein1 password1 password123 admin123 administrator changeme abc12345 11111111 00000000 asdfghjkl ' +
    'parquetry dashboard'
  ).split(' '),
)

/** Returns why a password is rejected, or undefined if it is accepted. */
export function findPasswordProblem(
  password: string,
  username: string,
  { isEnabled, minLength, blocklist } = defaultPasswordPolicy,
): PasswordProblem | undefined {
  if ([...password].length < (isEnabled ? minLength : 1)) return 'short'
  if (password.length > maxLength) return 'long'
  if (!isEnabled) return undefined
  const lower = password.toLowerCase()
  if (common.has(lower) || blocklist.some((each) => each.toLowerCase() === lower)) return 'common'
  if (lower === username.toLowerCase()) return 'name'
  return undefined
}
