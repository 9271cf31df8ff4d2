import { hash as digest, randomBytes } from 'node:crypto'
import { message, type AuthenticatorSecret } from '@parquetry/model'
import type { Kysely, Transaction } from 'kysely'
import type { HttpDeps } from '../http/app.ts'
import { unprocessableFields } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'
import { formatStoredTime } from '../store/time.ts'

/** RFC 6238 with the parameters that every authenticator app knows. */
const parameters = { algorithm: 'SHA1', digits: 6, period: 30 } as const
/** Codes of this many periods before and after the current one are accepted, for clocks that differ. */
const toleratedPeriods = 1
const recoveryCodeCount = 10

type Deps = Pick<HttpDeps, 'db' | 'keys' | 'now' | 'settings'>

interface Account {
  id: number
  uuid: string
  username: string
}

const loadOtp = () => import('otpauth')

const createTotp = async (
  { settings }: Pick<Deps, 'settings'>,
  { username }: Pick<Account, 'username'>,
  secret: string,
) =>
  new (await loadOtp()).TOTP({
    ...parameters,
    issuer: settings.config.APP_NAME,
    label: username,
    secret,
  })

/** The second factor of a user that a code has confirmed. */
export const findSecondFactor = (db: Kysely<Tables>, userId: number) =>
  db
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', userId)
    .where('confirmed_on', 'is not', null)
    .executeTakeFirst()

/** Tests if a role of a user, or of one of their groups, requires a second factor. */
export async function requiresSecondFactor(db: Kysely<Tables>, userId: number): Promise<boolean> {
  const ofGroups = db
    .selectFrom('user_group_member')
    .innerJoin('user_group_role', 'user_group_role.group_id', 'user_group_member.group_id')
    .select('role_id')
    .where('user_id', '=', userId)
  const role = await db
    .selectFrom('role')
    .select('id')
    .where('requires_second_factor', '=', 1)
    .where((is) =>
      is.or([
        is('id', 'in', db.selectFrom('user_role').select('role_id').where('user_id', '=', userId)),
        is('id', 'in', ofGroups),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return role !== undefined
}

/** Tests if a user needs more than the password to sign in. */
export const needsSecondStep = async (db: Kysely<Tables>, userId: number): Promise<boolean> =>
  (await findSecondFactor(db, userId)) !== undefined || (await requiresSecondFactor(db, userId))

/**
 * Returns the secret of a second factor that no code has confirmed yet; creates one if there is none.
 * @param isNew  replaces an existing one
 */
export async function beginSetUp(deps: Deps, account: Account, isNew: boolean): Promise<AuthenticatorSecret> {
  const { db, keys, now } = deps
  const existing = await db
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', account.id)
    .where('confirmed_on', 'is', null)
    .executeTakeFirst()
  const stored = existing && !isNew ? decrypt(deps, existing.secret, account) : undefined
  const secret = stored ?? new (await loadOtp()).Secret({ size: 20 }).base32
  if (stored === undefined) {
    const row = { secret: keys.encrypt(secret, account.uuid), created_on: formatStoredTime(now()) }
    await db
      .insertInto('second_factor')
      .values({ user_id: account.id, ...row, confirmed_on: null })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet(row).where('second_factor.confirmed_on', 'is', null),
      )
      .execute()
  }
  return { secret, uri: (await createTotp(deps, account, secret)).toString() }
}

/** Undefined when the key file has lost the key: a recovery code or a reset helps then. */
function decrypt({ keys }: Pick<Deps, 'keys'>, secret: string, { uuid }: Account): string | undefined {
  try {
    return keys.decrypt(secret, uuid)
  } catch {
    return undefined
  }
}

/** Number of the period of a code; null for a wrong code. */
async function findPeriod(deps: Deps, account: Account, encrypted: string, code: string): Promise<number | null> {
  const secret = decrypt(deps, encrypted, account)
  if (secret === undefined || !/^\d{6}$/.test(code)) return null
  const timestamp = deps.now().getTime()
  const totp = await createTotp(deps, account, secret)
  const delta = totp.validate({ token: code, timestamp, window: toleratedPeriods })
  return delta === null ? null : Math.floor(timestamp / 1000 / parameters.period) + delta
}

const normalizeCode = (code: string): string => code.replaceAll(/[\s-]/g, '').toLowerCase()
const hashRecoveryCode = (code: string): string => digest('sha256', normalizeCode(code), 'base64url')

/** Accepts a code of the app or a recovery code, each once. @returns whether it is correct */
export async function acceptCode(deps: Deps, account: Account, code: string): Promise<boolean> {
  const { db } = deps
  const factor = await findSecondFactor(db, account.id)
  if (!factor) return false
  const period = await findPeriod(deps, account, factor.secret, normalizeCode(code))
  if (period !== null) {
    const { numUpdatedRows } = await db
      .updateTable('second_factor')
      .set({ last_step: period })
      .where('user_id', '=', account.id)
      .where('last_step', '<', period)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }
  const { numDeletedRows } = await db
    .deleteFrom('recovery_code')
    .where('user_id', '=', account.id)
    .where('hash', '=', hashRecoveryCode(code))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Activates a second factor with a first code. @returns the recovery codes; null for a wrong code */
export async function confirmSetUp(deps: Deps, account: Account, code: string): Promise<string[] | null> {
  const { db, now } = deps
  const factor = await db
    .selectFrom('second_factor')
    .selectAll()
    .where('user_id', '=', account.id)
    .where('confirmed_on', 'is', null)
    .executeTakeFirst()
  const period = factor ? await findPeriod(deps, account, factor.secret, normalizeCode(code)) : null
  if (period === null) return null
  return db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx
      .updateTable('second_factor')
      .set({ confirmed_on: formatStoredTime(now()), last_step: period })
      .where('user_id', '=', account.id)
      .where('confirmed_on', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows === 0n ? null : replaceRecoveryCodes(trx, account.id)
  })
}

/** Makes new recovery codes, of which only hashes are stored. Earlier ones become invalid. */
export async function replaceRecoveryCodes(trx: Transaction<Tables>, userId: number): Promise<string[]> {
  const { Secret } = await loadOtp()
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const bytes = randomBytes(10)
    const text = new Secret({ buffer: bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) })
      .base32
    return (text.toLowerCase().match(/.{4}/g) ?? []).join('-')
  })
  await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
  await trx
    .insertInto('recovery_code')
    .values(codes.map((code) => ({ user_id: userId, hash: hashRecoveryCode(code) })))
    .execute()
  return codes
}

/** Removes the second factor of a user. @returns whether there was one */
export async function removeSecondFactor(db: Kysely<Tables>, userId: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await trx.deleteFrom('recovery_code').where('user_id', '=', userId).execute()
    const { numDeletedRows } = await trx.deleteFrom('second_factor').where('user_id', '=', userId).executeTakeFirst()
    return numDeletedRows > 0n
  })
}

export async function describeSecondFactor(db: Kysely<Tables>, userId: number) {
  const factor = await findSecondFactor(db, userId)
  const codes = await db.selectFrom('recovery_code').select('hash').where('user_id', '=', userId).execute()
  return {
    active: factor !== undefined,
    confirmed_on: factor?.confirmed_on ?? null,
    recovery_codes_left: factor ? codes.length : 0,
    required: await requiresSecondFactor(db, userId),
  }
}

export const wrongCode = () =>
  unprocessableFields({
    code: [
      message(
        'errors.security.wrongCode',
        'This code is not correct, or it was already used. Enter the current code of your app, or a recovery code.',
      ),
    ],
  })
