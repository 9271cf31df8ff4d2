import { join } from 'node:path'
import Database from 'better-sqlite3'
import type { Client } from '../client.ts'
import { createInsert } from '../lists.ts'
import type { BenchDashboard } from '../twenty-charts.ts'
import { type MeasuredServer, runCommands, signIn } from './server.ts'

const signInsAtOnce = 4
const hiddenOrigin = 'SEA'

/** Half have one role, three in ten have two, and two in ten have three and a row-level security rule. */
const rolesOf = (user: number): string[] =>
  user % 10 < 5 ? ['Alpha'] : user % 10 < 8 ? ['Gamma', 'Bench flights'] : ['Gamma', 'Bench flights', 'Bench west']

/** Strong enough for no warning. */
const passwordOf = (name: string): string => `the password of ${name}`

/** Creates users with the commands of an administrator, and a session of each. @returns their cookies */
export async function createUsers(
  server: MeasuredServer,
  client: Client,
  { count, flights }: { count: number; flights: number },
): Promise<string[]> {
  const names = Array.from({ length: count }, (_, user) => `bench-user-${user}`)
  runCommands(server, [
    ['role', 'add', 'Bench flights'],
    ['role', 'grant', 'Bench flights', 'datasource_access', `[examples].[flights](id:${flights})`],
    ['role', 'add', 'Bench west'],
    ...names.map((name, user) => {
      const roles = rolesOf(user).flatMap((role) => ['--role', role])
      return ['user', 'add', name, ...roles, '--password', passwordOf(name), '--first-name', name]
    }),
  ])
  await addRule(server, client, flights)
  const cookies: string[] = []
  const waiting = [...names.entries()]
  await Promise.all(
    Array.from({ length: signInsAtOnce }, async () => {
      for (let next = waiting.shift(); next; next = waiting.shift())
        cookies[next[0]] = await signIn(server.url, next[0], { username: next[1], password: passwordOf(next[1]) })
    }),
  )
  return cookies
}

/** Versions that have no route for rules get theirs directly in an SQLite store. */
async function addRule(server: MeasuredServer, client: Client, dataset: number): Promise<void> {
  const { result: roles } = await client
    .json<{ result: { id: number; name: string }[] }>('GET', '/api/v1/security/roles/search/?q=(page_size:100)')
    .catch(() => ({ result: [] }))
  const role = roles.find(({ name }) => name === 'Bench west')?.id
  const rule = { name: 'Bench west', filter_type: 'Regular', clause: `origin <> '${hiddenOrigin}'`, description: '' }
  if (role !== undefined) {
    const body = { ...rule, tables: [dataset], roles: [role], group_key: '' }
    await client.json('POST', '/api/v1/rowlevelsecurity/', body)
    return
  }
  if (server.env['PARQUETRY_METADATA_URL'] !== undefined) return
  const store = new Database(join(server.home, 'parquetry.sqlite'))
  const insert = createInsert(store)
  const { id } = store.prepare("select id from role where name = 'Bench west'").get() as { id: number }
  const { name, filter_type, clause } = rule
  const row_rule_id = insert('row_rule', { name, filter_type, clause })
  insert('row_rule_dataset', { row_rule_id, dataset_id: dataset })
  insert('row_rule_role', { row_rule_id, role_id: id })
  store.close()
}

/** Body of the request for the data of the dashboard, as the page sends it. */
export const dataBody = (board: BenchDashboard, origins: readonly string[], more: object = {}): string =>
  JSON.stringify({
    charts: board.charts.map((id) => ({ id })),
    data_mask:
      origins.length === 0
        ? {}
        : {
            [board.filterId]: {
              extraFormData: { filters: [{ col: 'origin', op: 'IN', val: origins }] },
              filterState: { value: origins, label: origins.join(', ') },
            },
          },
    ...more,
  })

const knownOrigins = ['ORD', 'LAX', 'ATL', 'DEN', 'BOS', 'PHX', 'SFO', 'DFW', 'IAH', 'MSP', 'DTW', 'JFK']
const otherOrigins =
  'SLC LAS CLT MCO EWR LGA BWI MIA SAN TPA PDX STL OAK MDW CVG HOU MCI RDU CLE DCA SMF SNA IND CMH PIT MSY ABQ ONT BUR SJC RNO TUS OKC TUL MEM BNA JAX RSW PBI BDL'.split(
    ' ',
  )

/** Bodies without a filter and with each of 12 values. */
export const knownBodies = (board: BenchDashboard): string[] => [
  dataBody(board, []),
  ...knownOrigins.map((origin) => dataBody(board, [origin])),
]

/** Bodies with three origins each, all different. */
export const freshBodies = (board: BenchDashboard): string[] => {
  const bodies: string[] = []
  for (let a = 0; a < otherOrigins.length; a += 1)
    for (let b = a + 1; b < otherOrigins.length; b += 1)
      for (let c = b + 1; c < otherOrigins.length; c += 1)
        bodies.push(dataBody(board, [otherOrigins[a]!, otherOrigins[b]!, otherOrigins[c]!]))
  // Neighbors differ in every origin: a stride that shares no factor with the number of bodies visits all of them.
  const stride = 997
  return bodies.map((_, index) => bodies[(index * stride) % bodies.length]!)
}
