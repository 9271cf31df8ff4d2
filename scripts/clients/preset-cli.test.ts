// Clients that were written for other servers of this API run unchanged against this one.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CarsServer, startCarsServer } from '../../apps/server/src/chart/testing.ts'
import type { Client } from '../../apps/server/src/testing.ts'
import { olderPresetCliTool, presetCliTool } from './tools.ts'

const programs = {
  '0.3.13': process.env['PARQUETRY_TEST_PRESET_CLI_0_3_13'] ?? presetCliTool.find(),
  '0.2.21': process.env['PARQUETRY_TEST_PRESET_CLI_0_2_21'] ?? olderPresetCliTool.find(),
}
type Version = keyof typeof programs

interface Ownership {
  name: string
  owners: string[]
  uuid: string
}

const folder = mkdtempSync(join(tmpdir(), 'parquetry-clients-'))
let cars: CarsServer
let admin: Client
let url = ''

beforeAll(async () => {
  cars = await startCarsServer()
  admin = cars.server.as('admin')
  url = await cars.server.app.http.listen({ host: '127.0.0.1', port: 0 })
  const create = async (path: string, body: object): Promise<number> => {
    const response = await admin.post(path, body)
    expect([response.statusCode, response.body]).toEqual([201, expect.anything()])
    return response.json<{ id: number }>().id
  }
  for (const { id, username } of await listAll<{ id: number; username: string }>('security/users'))
    await admin.put(`/api/v1/security/users/${id}`, { email: `${username}@example.com` })
  const dashboard = await create('/api/v1/dashboard/', { dashboard_title: 'Cars' })
  const chart = { slice_name: 'Cars', viz_type: 'table', datasource_id: cars.dataset, datasource_type: 'table' }
  await create('/api/v1/chart/', { ...chart, params: '{}', dashboards: [dashboard] })
  const role = await create('/api/v1/security/roles/', { name: 'Sales' })
  await create('/api/v1/security/groups/', { name: 'north', roles: [role] })
  await create('/api/v1/rowlevelsecurity/', {
    name: 'Only Japan',
    filter_type: 'Regular',
    tables: [cars.dataset],
    roles: [role],
    group_key: 'origin',
    clause: `"Origin" = 'Japan'`,
  })
}, 60_000)
afterAll(async () => {
  await cars.close()
  rmSync(folder, { recursive: true, force: true })
})

/** All objects of a list, as the API returns them. */
async function listAll<T>(resource: string): Promise<T[]> {
  const response = await admin.get(`/api/v1/${resource}/?q=(page_size:100)`)
  return response.json<{ result: T[] }>().result
}

/** Runs a command. @returns its output */
async function run(version: Version, ...args: string[]): Promise<string> {
  const options = { cwd: folder, timeout: 60_000 }
  const credentials = ['-u', 'admin', '-p', 'admin', url]
  const { stdout, stderr } = await promisify(execFile)(programs[version]!, [...credentials, ...args], options)
  return stdout + stderr
}

/** Runs an export. @returns the content of the file */
async function exportFile<T>(version: Version, command: string): Promise<T> {
  const file = `${command}-${version}.yaml`
  await run(version, command, file)
  return readYaml<T>(version, file)
}

/** Reads a file with the YAML parser of the client. */
async function readYaml<T>(version: Version, file: string): Promise<T> {
  const code = 'import json, sys, yaml; print(json.dumps(yaml.safe_load(open(sys.argv[1]))))'
  const python = join(programs[version]!, '../python')
  const { stdout } = await promisify(execFile)(python, ['-c', code, join(folder, file)])
  return JSON.parse(stdout) as T
}

interface Owned {
  owners: { id: number }[]
}

const kinds = [
  ['dashboard', 'dashboard_title'],
  ['chart', 'slice_name'],
  ['dataset', 'table_name'],
] as const

/** The owners of all objects as the API returns them, in the form of the client. */
async function listOwners(): Promise<Record<string, Ownership[]>> {
  const users = await listAll<{ id: number; email: string }>('security/users')
  const emails = new Map(users.map(({ id, email }) => [id, email]))
  const found = kinds.map(async ([kind, name]) => {
    const objects = await listAll<Owned & Record<string, unknown>>(kind)
    const uuids = await cars.server.deps.db.selectFrom(kind).select(['id', 'uuid']).execute()
    const owners = objects.map((one) => ({
      name: one[name] as string,
      owners: one.owners.map(({ id }) => emails.get(id)!).toSorted(),
      uuid: uuids.find(({ id }) => id === one['id'])!.uuid,
    }))
    return [kind, owners] as const
  })
  return Object.fromEntries(await Promise.all(found))
}

describe.skipIf(!programs['0.3.13'])('preset-cli 0.3.13', () => {
  it('exports row-level security rules', async () => {
    expect(await exportFile('0.3.13', 'export-rls')).toEqual([
      {
        name: 'Only Japan',
        description: null,
        filter_type: 'Regular',
        tables: ['None.cars'],
        roles: ['Sales'],
        group_key: 'origin',
        clause: `"Origin" = 'Japan'`,
      },
    ])
  })

  it('exports roles with their permissions, users and groups', async () => {
    const roles = await exportFile<{ name: string; permissions: string[]; users: string[]; groups: string[] }[]>(
      '0.3.13',
      'export-roles',
    )
    const all = await listAll<{ id: number; name: string }>('security/roles')
    expect(roles.map(({ name }) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted())
    const find = (name: string) => roles.find((role) => role.name === name)!
    expect(find('Sales')).toMatchObject({ permissions: [], groups: ['north'] })
    expect(find('Alpha').users).toEqual(['alpha@example.com'])
    const gamma = all.find(({ name }) => name === 'Gamma')!
    const response = await admin.get(`/api/v1/security/roles/${gamma.id}/permissions/`)
    const { result } = response.json<{ result: { permission_name: string; view_menu_name: string }[] }>()
    const words = result.map((pair) => `${pair.permission_name.replaceAll('_', ' ')} on ${pair.view_menu_name}`)
    expect(find('Gamma').permissions.toSorted()).toEqual(words.toSorted())
  })

  it('exports the owners of dashboards, charts and datasets, and imports changed ones', async () => {
    const owners = await exportFile<Record<string, Ownership[]>>('0.3.13', 'export-ownership')
    expect(owners).toEqual(await listOwners())
    const changed = Object.fromEntries(
      Object.entries(owners).map(([kind, all]) => [
        kind,
        all.map((one) => ({ ...one, owners: ['alpha@example.com'] })),
      ]),
    )
    // JSON is YAML.
    writeFileSync(join(folder, 'ownership.yaml'), JSON.stringify(changed))
    await run('0.3.13', 'import-ownership', 'ownership.yaml')
    expect(await listOwners()).toEqual(changed)
  })
})

describe.skipIf(!programs['0.2.21'])('preset-cli 0.2.21', () => {
  it('exports users', async () => {
    const users = await listAll<{
      username: string
      first_name: string
      last_name: string
      email: string
      roles: { name: string }[]
    }>('security/users')
    const byName = (a: { username: string }, b: { username: string }) => (a.username < b.username ? -1 : 1)
    expect(
      (await exportFile<{ username: string; role: string[] }[]>('0.2.21', 'export-users')).toSorted(byName),
    ).toEqual(
      users
        .map(({ username, first_name, last_name, email, roles }) => ({
          username,
          first_name,
          last_name,
          email,
          role: roles.map(({ name }) => name),
        }))
        .toSorted(byName),
    )
  })

  it('exports the owners of dashboards, charts and datasets', async () => {
    const owners = await exportFile<Record<string, Ownership[]>>('0.2.21', 'export-ownership')
    const expected = await listOwners()
    for (const kind of Object.keys(expected)) expect(owners[kind], kind).toEqual(expected[kind])
  })
})
