import { AppError, message } from '@parquetry/model'
import type { Kysely } from 'kysely'
import { loadAuthor, loadPrincipalById } from '../access/load-principal.ts'
import { hasPermission, type Principal } from '../access/principal.ts'
import type { Tables } from '../store/tables.ts'

/**
 * Finds a user whose account the caller manages. Only administrators change how an administrator signs in: otherwise users who
 * manage accounts could become one.
 * @throws AppError `not_found`, `forbidden`
 */
export async function requireManageableUser(
  db: Kysely<Tables>,
  caller: Principal,
  userId: number,
  action: 'read' | 'write',
): Promise<Principal> {
  const user = await loadAuthor(db, userId)
  if (!user) throw new AppError('not_found')
  if (action === 'write' && user.isAdmin && !caller.isAdmin)
    throw new AppError('forbidden', {
      message: message('errors.security.administratorsOnly', 'Only administrators can change this account.'),
    })
  return user
}

/** Tests if the author of a link still manages the account that it opens. Links without an author are from the command line. */
export async function mayAuthorManage(db: Kysely<Tables>, authorId: number | null, userId: number): Promise<boolean> {
  if (authorId === null) return true
  const author = await loadPrincipalById(db, authorId)
  if (!author || !hasPermission(author, ['can_put', 'User'])) return false
  return author.isAdmin || (await loadAuthor(db, userId))?.isAdmin === false
}

export type AuthorNames = ReadonlyMap<number, { id: number; first_name: string; last_name: string }>

/** Names of the users who created some rows. */
export async function namesOfUsers(
  db: Kysely<Tables>,
  rows: readonly { created_by_fk: number | null }[],
): Promise<AuthorNames> {
  const ids = [...new Set(rows.flatMap(({ created_by_fk }) => created_by_fk ?? []))]
  if (ids.length === 0) return new Map()
  const users = await db.selectFrom('user').select(['id', 'first_name', 'last_name']).where('id', 'in', ids).execute()
  return new Map(users.map((user) => [user.id, user]))
}

/** The author of a row; null for the command line and deleted users. */
export const nameAuthor = (names: AuthorNames, id: number | null) => (id === null ? null : (names.get(id) ?? null))
