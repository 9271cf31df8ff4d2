import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { CheckContext, PublicClient } from './public-client.ts'
import { runProgram } from './run-program.ts'
import { olderPresetCliTool, presetCliTool } from './tools.ts'

interface Ownership {
  name: string
  owners: string[]
  uuid: string
}

interface User {
  id: number
  username: string
  first_name: string
  last_name: string
  email: string
  roles: { name: string }[]
}

interface Asset {
  id: number
  uuid: string
  owners: { id: number }[]
}

const kinds = [
  ['dashboard', 'dashboard_title'],
  ['chart', 'slice_name'],
  ['dataset', 'table_name'],
] as const

const rule = {
  name: 'Only airport 1',
  filter_type: 'Regular',
  group_key: 'origin',
  clause: 'origin = 1',
}

/** Lists the objects of a resource. */
async function listAll<T>({ api }: CheckContext, resource: string): Promise<T[]> {
  return (await api.get(`/api/v1/${resource}/?q=(page_size:100)`)).body.result as T[]
}

/** Lists the owners of all objects in the format of the client. */
async function listOwners(context: CheckContext): Promise<Record<string, Ownership[]>> {
  const emails = new Map((await listAll<User>(context, 'security/users')).map(({ id, email }) => [id, email]))
  const found = kinds.map(async ([kind, name]) => {
    const assets = await listAll<Asset & Record<string, unknown>>(context, kind)
    const owners = assets.map((asset) => ({
      name: asset[name] as string,
      owners: asset.owners.map(({ id }) => emails.get(id)!).toSorted(),
      uuid: asset.uuid,
    }))
    return [kind, owners.toSorted(byUuid)] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

const byUuid = (a: { uuid: string }, b: { uuid: string }): number => (a.uuid < b.uuid ? -1 : 1)
const byUsername = (a: { username: string }, b: { username: string }): number => (a.username < b.username ? -1 : 1)

const sortOwners = (owners: Record<string, Ownership[]>): Record<string, Ownership[]> =>
  Object.fromEntries(kinds.map(([kind]) => [kind, (owners[kind] ?? []).toSorted(byUuid)]))

/** Runs a command. @returns its output */
const runCommand = ({ program, folder, url }: CheckContext, ...args: string[]): Promise<string> =>
  runProgram(program, ['-u', 'admin', '-p', 'admin', url, ...args], { cwd: folder })

/** Reads a file with the YAML parser of the client. */
async function readYaml<T>({ program, folder }: CheckContext, file: string): Promise<T> {
  const code = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
  return JSON.parse(await runProgram(join(dirname(program), 'python'), ['-c', code, file], { cwd: folder })) as T
}

/** Runs an export. @returns the content of the file */
async function exportFile<T>(context: CheckContext, command: string): Promise<T> {
  const file = `${command}.yaml`
  await runCommand(context, command, file)
  return readYaml<T>(context, file)
}

async function prepare(context: CheckContext): Promise<void> {
  const { api } = context
  await api.post('/api/v1/security/users/', {
    username: 'ada',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    password: 'difference-engine',
    active: true,
    roles: (await listAll<{ id: number; name: string }>(context, 'security/roles'))
      .filter(({ name }) => name === 'Alpha')
      .map(({ id }) => id),
  })
  for (const { id, username, email } of await listAll<User>(context, 'security/users'))
    if (!email) await api.put(`/api/v1/security/users/${id}`, { email: `${username}@example.com` })
}

async function checkSql(context: CheckContext): Promise<void> {
  const [database] = await listAll<{ id: number }>(context, 'database')
  const output = await runCommand(
    context,
    'sql',
    '--database-id',
    String(database!.id),
    '-e',
    'SELECT 41 + 1 AS answer',
  )
  assert.match(output, /answer\n-+\n\s+42/)
  const error = await runCommand(context, 'sql', '--database-id', String(database!.id), '-e', 'SELECT * FROM nowhere')
  assert.match(error, /nowhere/)
}

async function checkAssets(context: CheckContext): Promise<void> {
  await runCommand(context, 'export-assets', '--overwrite', '.')
  for (const kind of ['database', ...kinds.map(([name]) => name)]) {
    const assets = await listAll<Asset>(context, kind)
    const files = readdirSync(join(context.folder, `${kind}s`), { recursive: true, encoding: 'utf8' })
    assert.equal(files.filter((file) => file.endsWith('.yaml')).length, assets.length, kind)
  }
}

async function checkOwners(context: CheckContext): Promise<void> {
  assert.deepEqual(sortOwners(await exportFile(context, 'export-ownership')), await listOwners(context))
}

/** Owners of a dashboard become owners of its charts as well, so only the charts in the file are compared. */
async function checkOwnersImport(context: CheckContext): Promise<void> {
  const owners = await listOwners(context)
  const changed = kinds.map(([kind]) => {
    const some = owners[kind]!.slice(0, 2)
    return [kind, some.map((one) => ({ ...one, owners: ['ada@example.com'] }))] as const
  })
  // JSON is YAML.
  writeFileSync(join(context.folder, 'ownership.yaml'), JSON.stringify(Object.fromEntries(changed)))
  await runCommand(context, 'import-ownership', 'ownership.yaml')
  const stored = await listOwners(context)
  for (const [kind, some] of changed) assert.deepEqual(stored[kind]!.slice(0, 2), some)
  assert.deepEqual(stored['dataset']!.slice(2), owners['dataset']!.slice(2))
}

async function checkRules(context: CheckContext): Promise<void> {
  const { api } = context
  const role = (await api.post('/api/v1/security/roles/', { name: 'Sales' })).body.id as number
  await api.post('/api/v1/security/groups/', { name: 'north', roles: [role] })
  const datasets = await listAll<{ id: number; table_name: string }>(context, 'dataset')
  const { id } = datasets.find(({ table_name }) => table_name === 'flights')!
  const created = await api.post('/api/v1/rowlevelsecurity/', { ...rule, tables: [id], roles: [role] })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const exported = await exportFile(context, 'export-rls')
  assert.deepEqual(exported, [{ ...rule, description: null, tables: ['main.flights'], roles: ['Sales'] }])
}

async function checkRoles(context: CheckContext): Promise<void> {
  const roles = await exportFile<{ name: string; permissions: string[]; users: string[]; groups: string[] }[]>(
    context,
    'export-roles',
  )
  const all = await listAll<{ id: number; name: string }>(context, 'security/roles')
  assert.deepEqual(roles.map(({ name }) => name).toSorted(), all.map(({ name }) => name).toSorted())
  const find = (name: string) => roles.find((role) => role.name === name)!
  assert.deepEqual([find('Sales').permissions, find('Sales').groups], [[], ['north']])
  assert.deepEqual(find('Alpha').users, ['ada@example.com'])
  const gamma = all.find(({ name }) => name === 'Gamma')!
  const { result } = (await context.api.get(`/api/v1/security/roles/${gamma.id}/permissions/`)).body
  const pairs = result as { permission_name: string; view_menu_name: string }[]
  const titles = pairs.map((pair) => `${pair.permission_name.replaceAll('_', ' ')} on ${pair.view_menu_name}`)
  assert.deepEqual(find('Gamma').permissions.toSorted(), titles.toSorted())
}

/** The first call is a dry run. The second one deletes a dashboard, and nothing else. */
async function checkDeletion(context: CheckContext): Promise<void> {
  const before = await listAll<{ slug: string | null }>(context, 'dashboard')
  const { slug } = before.find((dashboard) => dashboard.slug)!
  const remove = ['delete-assets', '--asset-type', 'dashboard', '--filter', `slug=${slug}`]
  await runCommand(context, ...remove)
  assert.deepEqual((await listAll(context, 'dashboard')).length, before.length)
  await runCommand(context, ...remove, '--no-dry-run', '--confirm', 'DELETE', '--no-rollback')
  const after = await listAll<{ slug: string | null }>(context, 'dashboard')
  assert.deepEqual([after.length, after.some((dashboard) => dashboard.slug === slug)], [before.length - 1, false])
}

const htmlForms = 'import-rls and import-roles: they fill in HTML forms that release 6.1 does not have either'
const bundles = 'import-assets and sync native: come with bundles'

/** Preset's command-line client, which signs in with a token. */
export const presetCli: PublicClient = {
  name: 'preset-cli',
  version: '0.3.13',
  tool: presetCliTool,
  isReplayed: true,
  notCovered: [bundles, htmlForms, 'export-users: works only with the cloud service of Preset'],
  async run(context) {
    const { check } = context
    await prepare(context)
    await check('runs SQL and shows errors of the database', () => checkSql(context))
    await check('exports all assets', () => checkAssets(context))
    await check('exports row-level security rules', () => checkRules(context))
    await check('exports roles with their permissions, users and groups', () => checkRoles(context))
    await check('exports owners', () => checkOwners(context))
    await check('imports owners', () => checkOwnersImport(context))
    await check('deletes a dashboard found by its slug, after a dry run', () => checkDeletion(context))
  },
}

async function checkUsers(context: CheckContext): Promise<void> {
  const users = await listAll<User>(context, 'security/users')
  const exported = await exportFile<{ username: string }[]>(context, 'export-users')
  const expected = users.map(({ username, first_name, last_name, email, roles }) => ({
    username,
    first_name,
    last_name,
    email,
    role: roles.map(({ name }) => name),
  }))
  assert.deepEqual(exported.toSorted(byUsername), expected.toSorted(byUsername))
}

/** Older version of preset-cli, which signs in with the HTML form. */
export const olderPresetCli: PublicClient = {
  name: 'preset-cli',
  version: '0.2.21',
  tool: olderPresetCliTool,
  isReplayed: true,
  notCovered: [bundles, htmlForms],
  async run(context) {
    const { check } = context
    await prepare(context)
    await check('runs SQL and shows errors of the database', () => checkSql(context))
    await check('exports all assets', () => checkAssets(context))
    await check('exports users, read from the HTML list', () => checkUsers(context))
    await check('exports owners', () => checkOwners(context))
    await check('imports owners', () => checkOwnersImport(context))
  },
}
