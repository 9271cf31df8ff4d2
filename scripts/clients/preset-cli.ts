import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { createApiClient, startProduct } from '../../apps/web/journeys/product.ts'
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

/** Lists the names of all objects that bundles hold, by their UUIDs. */
async function listNames(context: CheckContext): Promise<Record<string, string>> {
  const found = ([['database', 'database_name'], ...kinds] as const).map(async ([kind, name]) => {
    const assets = await listAll<{ uuid: string } & Record<string, string>>(context, kind)
    return assets.map((asset) => [`${kind} ${asset.uuid}`, asset[name]!] as const)
  })
  return Object.fromEntries((await Promise.all(found)).flat())
}

const syncFolder = (context: CheckContext, ...args: string[]): Promise<string> =>
  runCommand(context, 'sync', 'native', ...args)

/** Changes the name of a chart in the exported folder. @returns the expected names */
function renameChart({ folder }: CheckContext, names: Record<string, string>, name: string): Record<string, string> {
  const file = join(folder, 'charts', readdirSync(join(folder, 'charts')).toSorted()[0]!)
  const text = readFileSync(file, 'utf8')
  writeFileSync(file, text.replace(/^slice_name: .*/m, `slice_name: ${name}`))
  const uuid = /^uuid: (.*)/m.exec(text)![1]!
  return { ...names, [`chart ${uuid}`]: name }
}

/**
 * With `--split`, version 0.3 replaces existing objects only with `--overwrite`. Everything else replaces them always. Version 0.3
 * would list existing files, but recognizes this error only if its content type names no charset, which it does in no release.
 */
async function checkSync(context: CheckContext, isOlder: boolean): Promise<void> {
  const names = await listNames(context)
  await syncFolder(context, '--overwrite', '.')
  assert.deepEqual(await listNames(context), names)
  const renamed = renameChart(context, names, 'Renamed in a file')
  if (!isOlder) {
    await assert.rejects(syncFolder(context, '--split', '.'), /already exists and `overwrite=true` was not passed/)
    assert.deepEqual(await listNames(context), names)
  }
  await syncFolder(context, '--split', '--overwrite', '.')
  assert.deepEqual(await listNames(context), renamed)
  const again = renameChart(context, names, 'Renamed again')
  await syncFolder(context, '.')
  assert.deepEqual(await listNames(context), again)
}

const warehouse = {
  database_name: 'Warehouse',
  sqlalchemy_uri: 'postgresql://reader:XXXXXXXXXX@127.0.0.1:1/none',
  uuid: '3d0c2a6e-5a3c-4e0e-9a0e-1f6f0f6d3b11',
  version: '1.0.0',
}

/**
 * Nothing listens at the address of the warehouse, so this also shows that an import does not connect.
 * The older version has no option for passwords, and asks for those that are not in the files.
 */
async function checkPassword(context: CheckContext, isOlder: boolean): Promise<void> {
  const folder = join(context.folder, 'warehouse')
  mkdirSync(join(folder, 'databases'), { recursive: true })
  const file = { ...warehouse, ...(isOlder && { password: 'secret' }) }
  // JSON is YAML.
  writeFileSync(join(folder, 'databases/Warehouse.yaml'), JSON.stringify(file))
  await syncFolder(context, ...(isOlder ? [] : ['--db-password', `${warehouse.uuid}=secret`]), folder)
  await syncFolder(context, folder)
  const databases = await listAll<{ id: number; uuid: string }>(context, 'database')
  const { id } = databases.find(({ uuid }) => uuid === warehouse.uuid)!
  const { result } = (await context.api.get(`/api/v1/database/${id}/connection`)).body
  assert.equal((result as typeof warehouse).sqlalchemy_uri, warehouse.sqlalchemy_uri)
  await context.api.delete(`/api/v1/database/${id}`)
}

/** Imports the folder of one installation into an empty one, as one bundle and object by object. */
async function checkSyncElsewhere(context: CheckContext): Promise<void> {
  const names = await listNames(context)
  for (const args of [[], ['--split']]) {
    const product = await startProduct({ env: { PARQUETRY_EXAMPLES: '0' } })
    try {
      const second = { ...context, url: product.url, api: await createApiClient(product.url, 'admin') }
      await syncFolder(second, ...args, '.')
      assert.deepEqual(await listNames(second), names)
    } finally {
      await product.stop()
    }
  }
}

async function checkSyncs(context: CheckContext, isOlder: boolean): Promise<void> {
  const { check } = context
  await check('imports its folder again, changed and unchanged', () => checkSync(context, isOlder))
  await check('imports its folder into an empty installation', () => checkSyncElsewhere(context))
  await check('imports a database with a password', () => checkPassword(context, isOlder))
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

/** Preset's command-line client, which signs in with a token. */
export const presetCli: PublicClient = {
  name: 'preset-cli',
  version: '0.3.13',
  tool: presetCliTool,
  isReplayed: true,
  notCovered: [htmlForms, 'export-users: works only with the cloud service of Preset'],
  async run(context) {
    const { check } = context
    await prepare(context)
    await check('runs SQL and shows errors of the database', () => checkSql(context))
    await check('exports all assets', () => checkAssets(context))
    await checkSyncs(context, false)
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
  notCovered: [htmlForms],
  async run(context) {
    const { check } = context
    await prepare(context)
    await check('runs SQL and shows errors of the database', () => checkSql(context))
    await check('exports all assets', () => checkAssets(context))
    await checkSyncs(context, true)
    await check('exports users, read from the HTML list', () => checkUsers(context))
    await check('exports owners', () => checkOwners(context))
    await check('imports owners', () => checkOwnersImport(context))
  },
}
