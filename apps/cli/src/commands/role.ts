import { parseArgs } from 'node:util'
import { addRole, grant, revoke } from '@parquetry/server/security/grants'
import { UsageError } from '../command.ts'
import { withCurrentStore } from '../with-store.ts'

const help = `Usage: parquetry role add NAME
       parquetry role grant NAME PERMISSION VIEW
       parquetry role revoke NAME PERMISSION VIEW
       parquetry role list [NAME]

add     creates a role without permissions
grant   adds a permission to a role, for example:
        parquetry role grant Sales datasource_access '[Examples].[flights](id:3)'
revoke  removes a permission from a role
list    prints the names of all roles, or the permissions of one role
`

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args,
    options: { help: { type: 'boolean', short: 'h' } },
    allowPositionals: true,
  })
  const [what = '', name, permission, view] = positionals
  if (values.help || what === '') {
    process.stdout.write(help)
    return
  }
  await withCurrentStore(async ({ db }) => {
    if (what === 'list') {
      const rows = name
        ? await db
            .selectFrom('role_permission')
            .innerJoin('role', 'role.id', 'role_id')
            .innerJoin('permission', 'permission.id', 'permission_id')
            .select(['permission.name', 'view'])
            .where('role.name', '=', name)
            .orderBy('view')
            .orderBy('permission.name')
            .execute()
        : await db.selectFrom('role').select('name').orderBy('name').execute()
      for (const row of rows) process.stdout.write(`${row.name}${'view' in row ? `\t${row.view}` : ''}\n`)
      return
    }
    if (name === undefined) throw new UsageError(`role ${what} requires the name of a role.\n\n${help}`)
    if (what === 'add') {
      await addRole(db, name)
      process.stdout.write(`Role ${name} created.\n`)
      return
    }
    if ((what !== 'grant' && what !== 'revoke') || permission === undefined || view === undefined)
      throw new UsageError(help)
    await (what === 'grant' ? grant : revoke)(db, name, [permission, view])
    process.stdout.write(
      what === 'grant'
        ? `Granted ${permission} on ${view} to ${name}.\n`
        : `Revoked ${permission} on ${view} from ${name}.\n`,
    )
  })
}
