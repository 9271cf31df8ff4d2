import Database from 'better-sqlite3'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import type { Kysely } from 'kysely'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { campaign } from '../sqllab/hostile.testing.ts'
import { type ExecuteResult, retryUntilStarted, startTestLab, type TestLab } from '../sqllab/testing.ts'
import { checkCases, type Random } from '@parquetry/model/testing/random'
import type { Tables } from '../store/tables.ts'
import { addRowLevelSecurityRule, type TestSubject } from './rules.testing.ts'

interface Person {
  id: number
  name: string
  team: number
}
const people: readonly Person[] = Array.from({ length: 12 }, (_, index) => ({
  id: index,
  name: ['Ada', 'Bo', 'Cy'][index % 3]!,
  team: index % 4,
}))
const table_name = `people_${process.pid}`
const schema = `random_rules_${process.pid}`
const create = `CREATE TABLE ${table_name} (id int, name varchar(20), team int)`
const insert = `INSERT INTO ${table_name} VALUES ${people.map(({ id, name, team }) => `(${id}, '${name}', ${team})`).join(', ')}`

/** @param names  the reader's values of the attribute `name` */
type Test = (person: Person, names: readonly string[]) => boolean

/** Clauses with what they mean. */
const clauses: readonly [clause: string, test: Test][] = [
  ['id < 7', ({ id }) => id < 7],
  [`name = 'Ada' -- first`, ({ name }) => name === 'Ada'],
  ['team IN (1, 2)', ({ team }) => team === 1 || team === 2],
  ['id > 2 OR team = 0', ({ id, team }) => id > 2 || team === 0],
  ['{{ 3 }} <> team', ({ team }) => team !== 3],
  [`name = {{ user_attribute('name') }}`, ({ name }, names) => names.length === 1 && names.includes(name)],
  [
    `id > 8 OR name <> '{{ user_attribute('name') }}'`,
    ({ id, name }, names) => names.length === 1 && (id > 8 || !names.includes(name)),
  ],
  [`name IN {{ user_attribute('name', many=true)|where_in }}`, ({ name }, names) => names.includes(name)],
]
/** Only for rules on the table itself. */
const qualified: (typeof clauses)[number] = [`${table_name}.id % 2 = 1`, ({ id }) => id % 2 === 1]

interface Engine {
  schema: string
  /** Other names under which the engine finds the table. */
  spellings: readonly { schema: string | null; table_name: string }[]
  cases: number
  /** True where the tests have no server of this kind. */
  isMissing?: boolean
  connect(lab: TestLab, files: string): Promise<number>
  drop?(lab: TestLab): Promise<void>
}

const pgUrl = process.env['PARQUETRY_TEST_POSTGRES']

async function runPostgres(...statements: string[]): Promise<void> {
  const client = new pg.Client({ connectionString: pgUrl })
  await client.connect()
  for (const sql of statements) await client.query(sql)
  await client.end()
}

/** Runs statements by a connection that may write. */
async function runWriting(lab: TestLab, url: string | undefined, ...statements: string[]): Promise<void> {
  const { db } = lab.server.deps
  const found = await db.selectFrom('database').select('id').where('database_name', '=', 'writer').executeTakeFirst()
  const writer = found?.id ?? (await lab.connect({ database_name: 'writer', sqlalchemy_uri: url, allow_dml: true }))
  const { run } = campaign(
    () => lab,
    () => ({ database_id: writer, schema: 'information_schema' }),
  )
  for (const sql of statements) {
    await retryUntilStarted(() => run(sql, 'admin'))
  }
}

/** An engine whose table has a schema of its own. */
const inOwnSchema = (url: string | undefined, cases: number, [start, storage, end]: string[]): Engine => ({
  schema,
  spellings: [],
  cases,
  isMissing: !url,
  async connect(lab) {
    const inSchema = (sql: string) => sql.replace(table_name, `${schema}.${table_name}`)
    await runWriting(lab, url, `CREATE ${start} ${schema}`, inSchema(`${create} ${storage}`), inSchema(insert))
    return lab.connect({ database_name: 'people', sqlalchemy_uri: url })
  },
  drop: (lab) => runWriting(lab, url, `DROP TABLE ${schema}.${table_name}`, `DROP ${end} ${schema}`),
})

const engines: Record<string, Engine> = {
  DuckDB: {
    schema: 'main',
    spellings: [
      { schema: null, table_name },
      { schema: 'main', table_name: table_name.toUpperCase() },
      { schema: 'MAIN', table_name: table_name.replace('p', 'P') },
    ],
    cases: 40,
    async connect(lab, files) {
      const lines = people.map(({ id, name, team }) => `${id},${name},${team}`)
      writeFileSync(join(files, `${table_name}.csv`), ['id,name,team', ...lines].join('\n'))
      return lab.connect({ database_name: 'people', sqlalchemy_uri: `duckdb:///${join(files, `${table_name}.csv`)}` })
    },
  },
  SQLite: {
    schema: 'main',
    spellings: [{ schema: null, table_name }],
    cases: 8,
    async connect(lab, files) {
      const database = new Database(join(files, 'people.db'))
      database.exec(`${create}; ${insert}`)
      database.close()
      return lab.connect({ database_name: 'people', sqlalchemy_uri: `sqlite:///${join(files, 'people.db')}` })
    },
  },
  PostgreSQL: {
    schema: 'public',
    spellings: [{ schema: null, table_name }],
    cases: 20,
    isMissing: !pgUrl,
    async connect(lab) {
      await runPostgres(create, insert)
      return lab.connect({ database_name: 'people', sqlalchemy_uri: pgUrl })
    },
    drop: () => runPostgres(`DROP TABLE ${table_name}`),
  },
  MySQL: inOwnSchema(process.env['PARQUETRY_TEST_MYSQL'], 20, ['DATABASE', '', 'DATABASE']),
  ClickHouse: inOwnSchema(process.env['PARQUETRY_TEST_CLICKHOUSE'], 10, [
    'DATABASE',
    'ENGINE = MergeTree ORDER BY id',
    'DATABASE',
  ]),
  Trino: inOwnSchema(process.env['PARQUETRY_TEST_TRINO'], 4, ['SCHEMA', '', 'SCHEMA']),
}

/** Adds a group with the user sqllab and one with the user alpha. */
async function addGroups(db: Kysely<Tables>) {
  const now = '2026-01-01T00:00:00.000'
  const add = async (username: string) => {
    const user = await db.selectFrom('user').select('id').where('username', '=', username).executeTakeFirstOrThrow()
    const group = await db
      .insertInto('user_group')
      .values({ uuid: randomUUID(), name: `group of ${username}`, created_on: now, changed_on: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db.insertInto('user_group_member').values({ group_id: group.id, user_id: user.id }).execute()
    return [user.id, group.id] as const
  }
  const [user, group] = await add('sqllab')
  const [otherUser, otherGroup] = await add('alpha')
  return { user, group, otherUser, otherGroup }
}

interface Rule {
  group: string | null
  test: Test
  applies: boolean
}

/** The obvious meaning: a row is visible if every group has a rule that allows it. */
function visibleIds(rules: readonly Rule[], names: readonly string[]): number[] {
  const applying = rules.filter(({ applies }) => applies)
  const groups = new Map<string | Rule, Rule[]>()
  for (const rule of applying) {
    const key = rule.group || rule
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return people
    .filter((person) => [...groups.values()].every((group) => group.some(({ test }) => test(person, names))))
    .map(({ id }) => id)
}

describe.each(Object.entries(engines))('random row-level security rules on %s', (_name, engine) => {
  describe.skipIf(engine.isMissing)('compared with a slow evaluator', () => {
    const files = mkdtempSync(join(tmpdir(), 'parquetry-random-rules-'))
    let lab: TestLab
    let database: number
    /** The reader of the rows and one of their groups, and others that rules may name. */
    const ids = { user: 0, otherUser: 0, group: 0, otherGroup: 0 }
    beforeAll(async () => {
      mkdirSync(files, { recursive: true })
      // DuckDB reserves 32 MB for each use of a CSV file in a statement, and for each thread.
      lab = await startTestLab({ settings: { files: [files] } }, { memoryLimitMb: 1024 })
      const { settings } = lab.server.deps
      Object.assign(settings, {
        config: { ...settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false },
        flags: { ...settings.flags, ENABLE_TEMPLATE_PROCESSING: true },
      })
      database = await engine.connect(lab, files)
      Object.assign(ids, await addGroups(lab.server.deps.db))
    }, 120_000)
    afterAll(async () => {
      await engine.drop?.(lab)
      await lab.close()
      rmSync(files, { recursive: true, force: true })
    })

    const admin = () => lab.server.as('admin')
    async function createDataset(body: object): Promise<number> {
      const made = await admin().post('/api/v1/dataset/', { database, ...body })
      expect(made.statusCode, made.body).toBe(201)
      const { id } = made.json<{ id: number }>()
      await grantDataset(lab.server, id, 'sql_lab')
      return id
    }
    const table = { schema: engine.schema, table_name }

    /** @param datasets the one of the table first */
    async function addRandomRules(random: Random, datasets: readonly number[]): Promise<Map<number, Rule[]>> {
      const rules = new Map(datasets.map((id): [number, Rule[]] => [id, []]))
      for (let left = 1 + random.int(3); left > 0; left--) {
        const [subject, isReader] = random.pick<readonly [TestSubject, boolean]>([
          ['sql_lab', true],
          ['Alpha', false],
          [{ user: ids.user }, true],
          [{ user: ids.otherUser }, false],
          [{ group: ids.group }, true],
          [{ group: ids.otherGroup }, false],
        ])
        const type = random.pick(['Regular', 'Base'] as const)
        const group = random.pick([null, '', 'a', 'b'])
        const dataset = random.pick(datasets)
        const [clause, test] = random.pick(dataset === datasets[0] ? [...clauses, qualified] : clauses)
        await addRowLevelSecurityRule(lab.server.deps.db, dataset, subject, clause, type, group)
        rules.get(dataset)!.push({ group, test, applies: isReader === (type === 'Regular') })
      }
      return rules
    }

    /** Gives the reader none, one or several values, their own or those of a group. @returns the values that count */
    async function setRandomNames(random: Random): Promise<readonly string[]> {
      const { db } = lab.server.deps
      await db.deleteFrom('user_attribute').execute()
      await db.deleteFrom('group_attribute').execute()
      const pick = () => random.pick<readonly string[]>([[], ['Ada'], ['Bo'], ['Ada', 'Bo'], [`Cy' OR '1' = '1`]])
      const [own, ofGroup] = [pick(), pick()]
      const row = (value: string) => ({ name: 'name', value })
      if (own.length > 0)
        await db
          .insertInto('user_attribute')
          .values(own.map((value) => ({ user_id: ids.user, ...row(value) })))
          .execute()
      if (ofGroup.length > 0)
        await db
          .insertInto('group_attribute')
          .values(ofGroup.map((value) => ({ group_id: ids.group, ...row(value) })))
          .execute()
      return own.length > 0 ? own : ofGroup
    }

    async function chartIds(dataset: number): Promise<number[]> {
      const response = await lab.server.as('sqllab').post('/api/v1/chart/data', {
        datasource: { id: dataset, type: 'table' },
        queries: [{ columns: ['id'], orderby: [['id', true]] }],
      })
      expect(response.statusCode, response.body).toBe(200)
      return response.json<{ result: [{ data: { id: number }[] }] }>().result[0].data.map(({ id }) => Number(id))
    }

    async function runSql(sql: string): Promise<Record<string, unknown>[]> {
      const response = await lab.run(sql, { database_id: database, schema: engine.schema }, 'sqllab')
      expect(response.statusCode, `${sql}: ${response.body}`).toBe(200)
      return response.json<ExecuteResult>().data
    }
    const idsOf = (rows: Record<string, unknown>[]) => rows.map(({ id }) => Number(id)).toSorted((a, b) => a - b)

    /** Ids that each of these queries finds, as parts of one statement, which takes as long as any of them alone. */
    async function sqlIds(queries: readonly string[]): Promise<number[][]> {
      const parts = queries.map((query, index) => `SELECT ${index} AS part, id FROM (${query}) AS q${index}`)
      const rows = await runSql(parts.join(' UNION ALL '))
      return queries.map((_, index) => idsOf(rows.filter(({ part }) => Number(part) === index)))
    }

    it('every path shows the same rows, whatever happened to the dataset of the rule', async () => {
      const { db } = lab.server.deps
      const name = `${engine.schema}.${table_name}`
      await checkCases(engine.cases, async (random, seed) => {
        await db.deleteFrom('dataset').where('database_id', '=', database).execute()
        await db.deleteFrom('row_rule').execute()
        const plain = await createDataset(table)
        const virtual = await createDataset({
          schema: engine.schema,
          table_name: 'people by SQL',
          sql: `SELECT p.id, p.name, p.team FROM ${name} AS p`,
        })
        const rules = await addRandomRules(random, [plain, virtual])
        const names = await setRandomNames(random)
        const tableRules = rules.get(plain)!
        let physical: number | undefined = plain
        const event = random.pick(['nothing', 'delete', 'new SQL', 'other name'] as const)
        if (event === 'delete') {
          expect((await admin().delete(`/api/v1/dataset/${plain}`)).statusCode).toBe(200)
          physical = await createDataset(random.pick([table, ...engine.spellings]))
        } else if (event === 'new SQL') {
          const sql = `SELECT id, 'Ada' AS name, 1 AS team FROM ${name}`
          const changed = await admin().put(`/api/v1/dataset/${plain}`, { sql, table_name: 'faked' })
          expect(changed.statusCode, changed.body).toBe(200)
          physical = await createDataset(random.pick([table, ...engine.spellings]))
          // A clause with the name of the table is an error in the query on the new SQL.
          const mayFail = tableRules.some(({ test, applies }) => applies && test === qualified[1])
          const shown = mayFail ? [] : await chartIds(plain)
          expect(visibleIds(tableRules, names), 'faked columns').toEqual(expect.arrayContaining(shown))
        } else if (event === 'other name' && engine.spellings.length > 0) {
          const spelling = random.pick(engine.spellings)
          const changed = await admin().put(`/api/v1/dataset/${plain}`, spelling)
          expect(changed.statusCode, changed.body).toBe(200)
          const again = await admin().post('/api/v1/dataset/', { database, ...table })
          expect(again.statusCode, again.body).toBe(422)
        }
        const expected = visibleIds(tableRules, names)
        expect(await chartIds(physical), event).toEqual(expected)
        expect(await chartIds(virtual), event).toEqual(
          visibleIds([...tableRules, ...rules.get(virtual)!.map((rule) => keepApart(rule))], names),
        )
        const queries = [
          `SELECT id FROM ${name}`,
          `SELECT p.id FROM ${table_name} AS p`,
          `WITH q AS (SELECT * FROM ${table_name}) SELECT id, '${table_name}' AS ${table_name} FROM q`,
          `SELECT id FROM ${table_name} WHERE id IN (SELECT id FROM ${name}) OR 1 = 1`,
        ]
        expect(await sqlIds(queries), event).toEqual(queries.map(() => expected))
        // Outside of parentheses as well, one after the other.
        const alone = queries[seed % queries.length]!
        expect(idsOf(await runSql(alone)), `${event}: ${alone}`).toEqual(expected)
      })
    }, 120_000)
  })
})

/** Rules of a virtual dataset apply to its rows, after those of the table: groups of the two are never joined. */
const keepApart = (rule: Rule): Rule => ({ ...rule, group: rule.group && `virtual ${rule.group}` })
