import { type Kysely, sql } from 'kysely'
import type { Tables } from '../store/tables.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

const maxPageSize = 100

const toNumber = (text: string | undefined, fallback: number): number =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : fallback

/**
 * The list of users in the form of an earlier release: the second table of the page has a row per user, with the id at the end
 * of a link, names, email address, status and roles.
 */
export async function renderLegacyList(
  db: Kysely<Tables>,
  query: { psize_UserDBModelView?: string; page_UserDBModelView?: string },
): Promise<string> {
  const limit = Math.min(Math.max(1, toNumber(query.psize_UserDBModelView, 25)), maxPageSize)
  const offset = toNumber(query.page_UserDBModelView, 0) * limit
  const users = await db
    .selectFrom('user')
    .select(['id', 'first_name', 'last_name', 'username', 'email', 'active'])
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  const ids = users.map(({ id }) => id)
  const roles =
    ids.length === 0
      ? []
      : (
          await sql<{ user_id: number; name: string }>`select user_id, name from user_role
    join role on role.id = role_id where user_id in (${sql.join(ids)}) order by role.id`.execute(db)
        ).rows
  const rolesOf = Map.groupBy(roles, ({ user_id }) => user_id)
  const rows = users.map(({ id, first_name, last_name, username, email, active }) => {
    const names = (rolesOf.get(id) ?? []).map(({ name }) => name)
    const cells = [first_name, last_name, username, email, active === 1 ? 'True' : 'False', `[${names.join(', ')}]`]
    return `<tr><td><a href="/users/show/${id}">Show</a></td>${cells.map((cell) => `<td>${escape(cell)}</td>`).join('')}</tr>`
  })
  const titles = ['', 'First Name', 'Last Name', 'User Name', 'Email', 'Is Active?', 'Role']
  const head = `<tr>${titles.map((title) => `<th>${title}</th>`).join('')}</tr>`
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>List Users</title></head><body>
<h1>List Users</h1><table><tr><td><a href="/users/">Users</a></td></tr></table>
<table>${head}
${rows.join('\n')}</table></body></html>`
}
