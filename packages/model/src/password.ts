/** Fault of a new password: too short, too long, too common, or the user's own name. */
export type PasswordProblem = 'short' | 'long' | 'common' | 'name'

const minLength = 8
const maxLength = 1024

const common = new Set(
  (
    'password passw0rd 12345678 123456789 1234567890 qwertyuiop qwerty123 iloveyou sunshine princess football baseball welcome1 ' +
    'superman trustno1 letmein1 password1 password123 admin123 administrator changeme abc12345 11111111 00000000 asdfghjkl ' +
    'parquetry dashboard'
  ).split(' '),
)

/** Returns why a password is rejected, or undefined if it is accepted. There are no composition rules. */
export function findPasswordProblem(password: string, username: string): PasswordProblem | undefined {
  if ([...password].length < minLength) return 'short'
  if (password.length > maxLength) return 'long'
  const lower = password.toLowerCase()
  if (common.has(lower)) return 'common'
  if (lower === username.toLowerCase()) return 'name'
  return undefined
}
