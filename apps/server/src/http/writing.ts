import { AppError, type FieldMessages, message, type Message, type PermissionPair } from '@parquetry/model'
import { sql, type Transaction } from 'kysely'
import { can, type ObjectKind } from '../access/access.ts'
import type { AuditEvent } from '../store/audit-log.ts'
import type { Tables } from '../store/tables.ts'
import { parseStoredTime, formatStoredTime } from '../store/time.ts'
import type { Principal } from '../access/principal.ts'
import { isWithinJsonLimits } from './json-body.ts'
import type { ReadContext } from './resource.ts'

/** Context for changing an object: the principal, the time, and the event for the audit log. */
export interface WriteContext extends ReadContext {
  event: AuditEvent
}

export const invalidPayload = (fields: FieldMessages): AppError => new AppError('invalid_payload', { fields })
export const unprocessableFields = (fields: FieldMessages): AppError => new AppError('unprocessable', { fields })
/** Like `unprocessableFields`, for routes that return one message. */
export const unprocessable = (text: string | Message): AppError => new AppError('unprocessable', { message: text })

/** Collects the errors of several fields, so that one response contains all of them. */
export class FieldErrorCollector {
  private readonly found: Record<string, (string | Message)[]> = Object.create(null) as Record<string, never>
  private readonly make: (fields: FieldMessages) => AppError
  constructor(createError: (fields: FieldMessages) => AppError) {
    this.make = createError
  }
  add(field: string, text: string | Message): void {
    this.found[field] = [text]
  }
  has(field: string): boolean {
    return field in this.found
  }
  throwIfAny(): void {
    if (Object.keys(this.found).length > 0) throw this.make(this.found)
  }
}

/** Tests if a text is JSON within the limits. */
export const isJson = (text: string): boolean => {
  if (!isWithinJsonLimits(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** @throws AppError `invalid_payload` naming each of these fields whose text is not JSON; absent, null and empty ones pass */
export function checkJson<B extends object>(body: B, ...fields: (keyof B & string)[]): void {
  const errors = new FieldErrorCollector(invalidPayload)
  for (const field of fields) {
    const text = body[field]
    if (typeof text === 'string' && text !== '' && !isJson(text))
      errors.add(field, message('errors.fields.notJson', 'JSON not valid'))
  }
  errors.throwIfAny()
}

/**
 * Refuses documents that would break an object or empty it silently; absent and null ones pass.
 * @throws AppError `unprocessable` naming each of these fields whose text is not a JSON object
 */
export function requireDocuments<B extends object>(body: B, ...fields: (keyof B & string)[]): void {
  const errors = new FieldErrorCollector(unprocessableFields)
  for (const field of fields) {
    const text = body[field]
    if (typeof text === 'string' && !isJsonObject(text))
      errors.add(
        field,
        message(
          'errors.fields.notDocument',
          'The text must be a JSON object. Nothing was changed; leave the field out to keep it.',
        ),
      )
  }
  errors.throwIfAny()
}

const isJsonObject = (text: string): boolean => isJson(text) && /^\s*\{/.test(text)

/** @throws AppError `invalid_payload` naming each of these fields whose text exceeds the JSON limits; it need not be JSON */
export function checkJsonLimits<B extends object>(body: B, ...fields: (keyof B & string)[]): void {
  const errors = new FieldErrorCollector(invalidPayload)
  for (const field of fields) {
    const text = body[field]
    if (typeof text === 'string' && !isWithinJsonLimits(text))
      errors.add(
        field,
        message('errors.fields.jsonTooLarge', 'The JSON is nested too deeply or contains too many values.'),
      )
  }
  errors.throwIfAny()
}

/** @throws AppError `missing_ownership`; the caller has already checked that the object is visible */
export async function authorizeChange(
  context: ReadContext,
  action: PermissionPair,
  object: { kind: ObjectKind; id: number },
): Promise<void> {
  if (!(await can(context, action, object))) throw new AppError('missing_ownership')
}

/** Replaces the rows of a join table that belong to one object. */
export async function replaceLinks(
  trx: Transaction<Tables>,
  { through, own, other }: { through: string; own: string; other: string },
  id: number,
  others: readonly number[],
): Promise<void> {
  await sql`delete from ${sql.table(through)} where ${sql.ref(own)} = ${id}`.execute(trx)
  if (others.length === 0) return
  const rows = sql.join(others.map((each) => sql`(${id}, ${each})`))
  await sql`insert into ${sql.table(through)} (${sql.ref(own)}, ${sql.ref(other)}) values ${rows}`.execute(trx)
}

/** Columns set by every change. The time always advances, so that two changes can be told apart. */
export const changedBy = (principal: Principal, now: Date, before?: { changed_on: string }) => ({
  changed_on: formatStoredTime(
    before && formatStoredTime(now) <= before.changed_on
      ? new Date(parseStoredTime(before.changed_on).getTime() + 1)
      : now,
  ),
  changed_by_fk: principal.id,
})

export const createdBy = (principal: Principal, now: Date) => ({
  created_on: formatStoredTime(now),
  created_by_fk: principal.id,
  ...changedBy(principal, now),
})

/** Fields of a body that are in `names`, as columns, with booleans as 1 and 0. */
export function toColumns<B extends object, N extends keyof B & string>(
  body: B,
  names: readonly N[],
): Partial<Pick<B, N>> {
  const columns: Record<string, unknown> = {}
  for (const name of names) {
    const value = body[name]
    if (value !== undefined) columns[name] = typeof value === 'boolean' ? (value ? 1 : 0) : value
  }
  return columns as Partial<Pick<B, N>>
}
