import { type FieldMessages, AppError, message, type Message } from '@parquetry/model'
import { type Kysely, sql } from 'kysely'
import { FieldErrorCollector, invalidPayload } from '../http/writing.ts'
import type { Tables } from '../store/tables.ts'

const unknownMessages = {
  role: message('errors.user.unknownRoles', 'Some of these roles do not exist.'),
  user_group: message('errors.user.unknownGroups', 'Some of these groups do not exist.'),
  user: message('errors.user.unknownUsers', 'Some of these users do not exist.'),
} satisfies Record<string, Message>

/** Ids that a body names in one of its fields. */
export interface References {
  field: string
  table: keyof typeof unknownMessages
  ids: readonly number[] | undefined
}

/** Creates the error of the reference for unknown ids in a PUT of a user. */
export const missingReferences = (fields: FieldMessages): AppError => new AppError('not_found', { fields })

/** @throws AppError naming each field with an id that does not exist */
export async function requireExisting(
  db: Kysely<Tables>,
  references: readonly References[],
  createError: (fields: FieldMessages) => AppError = invalidPayload,
): Promise<void> {
  const errors = new FieldErrorCollector(createError)
  for (const { field, table, ids = [] } of references) {
    if (ids.length === 0) continue
    const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}
      where id in (${sql.join([...ids])})`.execute(db)
    if (Number(rows[0]?.n) !== ids.length) errors.add(field, unknownMessages[table])
  }
  errors.throwIfAny()
}

export const unique = (ids: readonly number[]): number[] => [...new Set(ids)]
