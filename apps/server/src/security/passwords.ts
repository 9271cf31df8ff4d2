import type { Algorithm } from '@node-rs/argon2'
import {
  englishTranslator,
  findPasswordProblem,
  message,
  type Message,
  type PasswordPolicy,
  type PasswordProblem,
  translateMessage,
} from '@parquetry/model'
import type { Config } from '../settings/config.ts'

const argon2 = () => import('@node-rs/argon2')
// argon2id, 19 MiB, two passes: 20 ms (OWASP's first choice)
const options = { algorithm: 2 as Algorithm, memoryCost: 19_456, timeCost: 2, parallelism: 1 }

export const hashPassword = async (password: string): Promise<string> => (await argon2()).hash(password, options)

/** A hash that matches no password: checking an unknown user takes as long as a known one. */
let dummyHash: Promise<string> | undefined

/** Compares a password with its hash; null is a user without a password and never matches. */
export async function verifyPassword(hash: string | null, password: string): Promise<boolean> {
  dummyHash ??= hashPassword('nobody has this password')
  const matches = await (await argon2()).verify(hash ?? (await dummyHash), password)
  return hash !== null && matches
}

/** The settings for new passwords. */
export const readPasswordPolicy = (config: PasswordConfig): PasswordPolicy => ({
  isEnabled: config.FAB_PASSWORD_COMPLEXITY_ENABLED,
  minLength: config.AUTH_PASSWORD_MIN_LENGTH,
  blocklist: config.AUTH_PASSWORD_COMMON_BLOCKLIST,
})

export type PasswordConfig = Pick<
  Config,
  'FAB_PASSWORD_COMPLEXITY_ENABLED' | 'AUTH_PASSWORD_MIN_LENGTH' | 'AUTH_PASSWORD_COMMON_BLOCKLIST'
>

const tooShort = ({ isEnabled, minLength }: PasswordPolicy): Message =>
  message(
    'errors.security.passwordShort',
    'The password must have at least {count, plural, one {# character} other {# characters}}.',
    { count: isEnabled ? minLength : 1 },
  )

const problemMessages: Record<Exclude<PasswordProblem, 'short'>, Message> = {
  long: message('errors.security.passwordLong', 'The password must have at most 1024 characters.'),
  common: message('errors.security.passwordCommon', 'This password is too common. Choose another one.'),
  name: message('errors.security.passwordAsName', 'The password must not be the same as the username.'),
}

/** Message about a weak password; undefined when it is not weak. */
export function findWeakness(password: string, username: string, config: PasswordConfig): Message | undefined {
  const policy = readPasswordPolicy(config)
  const problem = findPasswordProblem(password, username, policy)
  return problem === 'short' ? tooShort(policy) : problem && problemMessages[problem]
}

/** The same in English. */
export function findWeaknessText(password: string, username: string, config: PasswordConfig): string | undefined {
  const weakness = findWeakness(password, username, config)
  return weakness && translateMessage(weakness, englishTranslator)
}
