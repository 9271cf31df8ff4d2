import { parseArgs } from 'node:util'
import { linkPath, makeLink } from '@parquetry/server/security/one-time-link'
import { findWeaknessText } from '@parquetry/server/security/passwords'
import { removeSecondFactor } from '@parquetry/server/security/second-factor'
import { addUser, findUser, setPassword } from '@parquetry/server/security/users'
import type { Settings } from '@parquetry/server/settings/settings'
import type { Store } from '@parquetry/server/store/open'
import { UsageError } from '../command.ts'
import { withCurrentStore } from '../with-store.ts'

const help = `Usage: parquetry user add NAME --role ROLE... [--password P] [--first-name F] [--last-name L] [--email E]
       parquetry user password NAME --password P
       parquetry user link NAME
       parquetry user reset-second-factor NAME
       parquetry user list

add       creates a user; without --password it prints a link for setting one
password  sets a password and ends the sessions of the user
link      prints a link for setting a password; it works once, within 24 hours
reset-second-factor  removes the second factor of a user who lost it
list      prints the username, status, roles and last sign-in of all users
`

const options = {
  role: { type: 'string', multiple: true },
  password: { type: 'string' },
  'first-name': { type: 'string' },
  'last-name': { type: 'string' },
  email: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
} as const

const print = (text: string) => process.stdout.write(`${text}\n`)

function warnIfWeak(password: string, username: string, { config }: Settings): void {
  const weak = findWeaknessText(password, username, config)
  if (weak) process.stderr.write(`Warning: weak password. ${weak}\n`)
}

async function printLink(store: Store, { baseUrl, host, port }: Settings, id: number): Promise<void> {
  const token = await makeLink(store.db, id, new Date())
  print(`${baseUrl ?? `http://${host}:${port}`}${linkPath(token)}`)
}

async function requireUser(store: Store, name: string) {
  const user = await findUser(store.db, name)
  if (!user) throw new UsageError(`User ${name} does not exist.`)
  return user
}

async function list({ db }: Store): Promise<void> {
  const roles = await db
    .selectFrom('user_role')
    .innerJoin('role', 'role.id', 'role_id')
    .select(['user_id', 'name'])
    .orderBy('name')
    .execute()
  for (const { id, username, active, last_login } of await db
    .selectFrom('user')
    .selectAll()
    .orderBy('username')
    .execute()) {
    const held = roles.filter(({ user_id }) => user_id === id).map(({ name }) => name)
    print([username, active ? 'active' : 'disabled', held.join(', '), last_login ?? 'never'].join('\t'))
  }
}

export async function run(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true })
  const [what = '', name = '', ...more] = positionals
  if (values.help || what === '') {
    process.stdout.write(help)
    return
  }
  if (!['add', 'password', 'link', 'reset-second-factor', 'list'].includes(what))
    throw new UsageError(`Unknown command: user ${what}\n\n${help}`)
  if (what !== 'list' && (name === '' || more.length > 0))
    throw new UsageError(`user ${what} requires one username.\n\n${help}`)
  await withCurrentStore(async (store, settings) => {
    const { password } = values
    if (what === 'list') return list(store)
    if (what === 'link') return printLink(store, settings, (await requireUser(store, name)).id)
    if (what === 'reset-second-factor') {
      const user = await requireUser(store, name)
      const isRemoved = await removeSecondFactor(store.db, user.id)
      return void print(`${user.username} ${isRemoved ? 'can sign in without' : 'has no'} second factor.`)
    }
    if (what === 'password') {
      if (password === undefined) throw new UsageError('user password requires --password.')
      const user = await requireUser(store, name)
      warnIfWeak(password, name, settings)
      await setPassword(store.db, user.id, password, new Date())
      return void print(`Password of ${user.username} changed.`)
    }
    if (!values.role?.length) throw new UsageError('user add requires at least one --role.')
    if (password !== undefined) warnIfWeak(password, name, settings)
    const user = {
      username: name,
      password: password ?? null,
      roles: values.role,
      ...(values['first-name'] !== undefined && { first_name: values['first-name'] }),
      ...(values['last-name'] !== undefined && { last_name: values['last-name'] }),
      ...(values.email !== undefined && { email: values.email }),
    }
    const id = await addUser(store.db, user, new Date())
    print(`User ${name} created.`)
    if (password === undefined) await printLink(store, settings, id)
  })
}
