import { parseArgs } from 'node:util'
import { addRole, grant, revoke } from '@parquetry/server/security/grants'
import { UsageError } from '../command.ts'
import { withCurrentStore } from '../with-store.ts'

const help = `Usage: parquetry role add NAME
       parquetry role grant NAME PERMISSION VIEW
       parquetry role revoke NAME PERMISSION VIEW
       parquetry role list [NAME]

grant, for example: parquetry role grant Sales datasource_access '[Examples].[flights](id:3)'
list   prints the names of all roles, or what one role holds
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
    if (name === undefined) throw new UsageError(`role ${what} needs the name of a role.\n\n${help}`)
    if (what === 'add') {
      await addRole(db, name)
      process.stdout.write(`Role ${name} is made.\n`)
      return
    }
    if ((what !== 'grant' && what !== 'revoke') || permission === undefined || view === undefined)
      throw new UsageError(help)
    await (what === 'grant' ? grant : revoke)(db, name, [permission, view])
    process.stdout.write(`${name}: ${permission} on ${view} ${what === 'grant' ? 'granted' : 'revoked'}.\n`)
  })
}
