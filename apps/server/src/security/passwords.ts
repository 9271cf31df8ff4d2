import type { Algorithm } from '@node-rs/argon2'
import { message, type Message, findPasswordProblem, type PasswordProblem } from '@parquetry/model'

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

const problemMessages: Record<PasswordProblem, Message> = {
  short: message('errors.security.passwordShort', 'The password must have at least 8 characters.'),
  long: message('errors.security.passwordLong', 'The password must have at most 1024 characters.'),
  common: message('errors.security.passwordCommon', 'This password is too common. Choose another one.'),
  name: message('errors.security.passwordAsName', 'The password must not be the same as the username.'),
}

/** Message about a weak password; undefined when it is not weak. */
export function findWeakness(password: string, username: string): Message | undefined {
  const problem = findPasswordProblem(password, username)
  return problem && problemMessages[problem]
}

/** The same in English. */
export const findWeaknessText = (password: string, username: string): string | undefined =>
  findWeakness(password, username)?.text
