import type { Algorithm } from '@node-rs/argon2'

const argon2 = () => import('@node-rs/argon2')
// argon2id, 19 MiB, two passes: 20 ms (OWASP's first choice)
const options = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, options)

/** A hash of nothing that anybody has: asking for an unknown user takes as long as for a known one. */
let nobody: Promise<string> | undefined

/** Whether the password belongs to the hash; null is a user without a password and never fits. */
export async function isPassword(hash: string | null, password: string): Promise<boolean> {
  nobody ??= hashPassword('nobody has this password')
  const fits = await (await argon2()).verify(hash ?? (await nobody), password)
  return hash !== null && fits
}

const common = new Set(
  (
    'password passw0rd 12345678 123456789 1234567890 qwertyuiop qwerty123 iloveyou sunshine princess football baseball welcome1 ' +
    'superman trustno1 letmein1 password1 password123 admin123 administrator changeme abc12345 11111111 00000000 asdfghjkl ' +
    'parquetry dashboard'
  ).split(' '),
)

/** Why a password is weak; undefined when it is not. No rules about its composition. */
export function weakness(password: string, username: string): string | undefined {
  if ([...password].length < 8) return 'The password must have at least 8 characters.'
  if (password.length > 1024) return 'The password must have at most 1024 characters.'
  const lower = password.toLowerCase()
  if (common.has(lower)) return 'This password is one of the most common ones.'
  if (lower === username.toLowerCase()) return 'The password must not be the user name.'
  return undefined
}
