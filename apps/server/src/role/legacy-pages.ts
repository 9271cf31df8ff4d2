import { AppError, rolePages } from '@parquetry/model'
import { sql, type SqlBool } from 'kysely'
import type { App, HttpDeps } from '../http/app.ts'
import { resolvePage } from '../http/resource.ts'
import { serve } from '../http/serve.ts'
import { listRolePermissions } from './read-role.ts'

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`)

const page = (title: string, body: string): string => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escape(title)} - Parquetry</title></head>
<body><h1>${escape(title)}</h1>
<p><a href="/roles/">Manage roles in Parquetry</a>. This page is for scripts that read it.</p>
${body}</body></html>`

/**
 * `/roles/list/` and `/roles/edit/{id}` with the elements that older clients look for. The list is the second table, whose first
 * column links to the form; the form has the selected permissions and users only.
 */
export function legacyRolePages(app: App, { db }: HttpDeps): void {
  serve(app, rolePages.list, async ({ query, reply }) => {
    const { page_RoleModelView: number, psize_RoleModelView: size, _flt_3_name: name } = query ?? {}
    const { limit, offset } = resolvePage({ page: number, page_size: size })
    const { rows } = await sql<{ id: number; name: string }>`select id, name from role
      where ${name === undefined ? sql<SqlBool>`1 = 1` : sql<SqlBool>`name = ${name}`}
      order by id limit ${limit} offset ${offset}`.execute(db)
    const cells = rows.map(
      ({ id, name: text }) => `<tr><td><a href="/roles/edit/${id}">Edit</a></td><td>${escape(text)}</td></tr>`,
    )
    const list = `<table><tr><td>${rows.length}</td></tr></table>
<table><tr><th></th><th>Name</th></tr>${cells.join('\n')}</table>`
    return reply.type('text/html; charset=utf-8').send(page('Roles', list))
  })

  serve(app, rolePages.edit, async ({ params, reply }) => {
    const role = await db.selectFrom('role').select(['id', 'name']).where('id', '=', params.id).executeTakeFirst()
    if (!role) throw new AppError('not_found')
    const users = await db
      .selectFrom('user_role')
      .innerJoin('user', 'user.id', 'user_id')
      .select(['user.id', 'first_name', 'last_name'])
      .where('role_id', '=', role.id)
      .orderBy('user.id')
      .execute()
    const permissions = await listRolePermissions(db, role.id)
    const option = (id: number, text: string) => `<option value="${id}" selected>${escape(text)}</option>`
    const form = `<form><p><label>Name <input name="name" value="${escape(role.name)}" readonly></label></p>
<p><label>Permissions <select id="permissions" name="permissions" multiple>${permissions
      .map((pair) => option(pair.id, `${pair.permission_name.replaceAll('_', ' ')} on ${pair.view_menu_name}`))
      .join('\n')}</select></label></p>
<p><label>Users <select id="user" name="user" multiple>${users
      .map((user) => option(user.id, `${user.first_name} ${user.last_name}`.trim()))
      .join('\n')}</select></label></p></form>`
    return reply.type('text/html; charset=utf-8').send(page(role.name, form))
  })
}
