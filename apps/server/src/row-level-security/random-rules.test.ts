import Database from 'better-sqlite3'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { grantDataset } from '../security/grant-dataset.testing.ts'
import { campaign } from '../sqllab/hostile.testing.ts'
import { type ExecuteResult, startTestLab, type TestLab } from '../sqllab/testing.ts'
import { createRandom, type Random } from '@parquetry/frame/testing/random'
import { addRowLevelSecurityRule } from './rules.testing.ts'

interface Person {
  id: number
  name: string
  team: number
}
const people: readonly Person[] = Array.from({ length: 12 }, (_, at) => ({
  id: at,
  name: ['Ada', 'Bo', 'Cy'][at % 3]!,
  team: at % 4,
}))
const table_name = `people_${process.pid}`
const schema = `random_rules_${process.pid}`
const create = `CREATE TABLE ${table_name} (id int, name varchar(20), team int)`
const insert = `INSERT INTO ${table_name} VALUES ${people.map(({ id, name, team }) => `(${id}, '${name}', ${team})`).join(', ')}`

/** Clauses with what they mean. */
const clauses: readonly [clause: string, test: (person: Person) => boolean][] = [
  ['id < 7', ({ id }) => id < 7],
  [`name = 'Ada' -- first`, ({ name }) => name === 'Ada'],
  ['team IN (1, 2)', ({ team }) => team === 1 || team === 2],
  ['id > 2 OR team = 0', ({ id, team }) => id > 2 || team === 0],
  ['{{ 3 }} <> team', ({ team }) => team !== 3],
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
    const done = await run(sql, 'admin')
    expect(done.statusCode, done.body).toBe(200)
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

interface Rule {
  group: string | null
  test: (person: Person) => boolean
  applies: boolean
}

/** The obvious meaning: a row is visible if every group has a rule that allows it. */
function visibleIds(rules: readonly Rule[]): number[] {
  const applying = rules.filter(({ applies }) => applies)
  const groups = new Map<string | Rule, Rule[]>()
  for (const rule of applying) {
    const key = rule.group || rule
    groups.set(key, [...(groups.get(key) ?? []), rule])
  }
  return people
    .filter((person) => [...groups.values()].every((group) => group.some(({ test }) => test(person))))
    .map(({ id }) => id)
}

describe.each(Object.entries(engines))('random row-level security rules on %s', (_name, engine) => {
  describe.skipIf(engine.isMissing)('compared with a slow evaluator', () => {
    const files = mkdtempSync(join(tmpdir(), 'parquetry-random-rules-'))
    let lab: TestLab
    let database: number
    beforeAll(async () => {
      mkdirSync(files, { recursive: true })
      lab = await startTestLab({ settings: { files: [files] } })
      const { settings } = lab.server.deps
      Object.assign(settings, {
        config: { ...settings.config, PREVENT_UNSAFE_DB_CONNECTIONS: false },
        flags: { ...settings.flags, ENABLE_TEMPLATE_PROCESSING: true },
      })
      database = await engine.connect(lab, files)
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
        const [role, isHeld] = random.pick([['sql_lab', true] as const, ['Alpha', false] as const])
        const type = random.pick(['Regular', 'Base'] as const)
        const group = random.pick([null, '', 'a', 'b'])
        const dataset = random.pick(datasets)
        const [clause, test] = random.pick(dataset === datasets[0] ? [...clauses, qualified] : clauses)
        await addRowLevelSecurityRule(lab.server.deps.db, dataset, role, clause, type, group)
        rules.get(dataset)!.push({ group, test, applies: isHeld === (type === 'Regular') })
      }
      return rules
    }

    async function chartIds(dataset: number): Promise<number[]> {
      const answer = await lab.server.as('sqllab').post('/api/v1/chart/data', {
        datasource: { id: dataset, type: 'table' },
        queries: [{ columns: ['id'], orderby: [['id', true]] }],
      })
      expect(answer.statusCode, answer.body).toBe(200)
      return answer.json<{ result: [{ data: { id: number }[] }] }>().result[0].data.map(({ id }) => Number(id))
    }

    async function sqlIds(sql: string): Promise<number[]> {
      const answer = await lab.run(sql, { database_id: database, schema: engine.schema }, 'sqllab')
      expect(answer.statusCode, `${sql}: ${answer.body}`).toBe(200)
      return answer
        .json<ExecuteResult>()
        .data.map(({ id }) => Number(id))
        .toSorted((a, b) => a - b)
    }

    it('every path shows the same rows, whatever happened to the dataset of the rule', async () => {
      const { db } = lab.server.deps
      const name = `${engine.schema}.${table_name}`
      for (let seed = 1; seed <= engine.cases; seed++) {
        const random = createRandom(seed)
        await db.deleteFrom('dataset').where('database_id', '=', database).execute()
        await db.deleteFrom('row_rule').execute()
        const plain = await createDataset(table)
        const virtual = await createDataset({
          schema: engine.schema,
          table_name: 'people by SQL',
          sql: `SELECT p.id, p.name, p.team FROM ${name} AS p`,
        })
        const rules = await addRandomRules(random, [plain, virtual])
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
          const shown = await chartIds(plain)
          expect(visibleIds(tableRules), `${seed}: faked columns`).toEqual(expect.arrayContaining(shown))
        } else if (event === 'other name' && engine.spellings.length > 0) {
          const spelling = random.pick(engine.spellings)
          const changed = await admin().put(`/api/v1/dataset/${plain}`, spelling)
          expect(changed.statusCode, changed.body).toBe(200)
          const again = await admin().post('/api/v1/dataset/', { database, ...table })
          expect(again.statusCode, again.body).toBe(422)
        }
        const expected = visibleIds(tableRules)
        const place = `seed ${seed}, ${event}`
        expect(await chartIds(physical), place).toEqual(expected)
        expect(await chartIds(virtual), place).toEqual(
          visibleIds([...tableRules, ...rules.get(virtual)!.map((rule) => keepApart(rule))]),
        )
        for (const sql of [
          `SELECT id FROM ${name}`,
          `SELECT p.id FROM ${table_name} AS p`,
          `WITH q AS (SELECT * FROM ${table_name}) SELECT id, '${table_name}' AS ${table_name} FROM q`,
          `SELECT id FROM ${table_name} WHERE id IN (SELECT id FROM ${name}) OR 1 = 1`,
        ])
          expect(await sqlIds(sql), `${place}: ${sql}`).toEqual(expected)
      }
    }, 120_000)
  })
})

/** Rules of a virtual dataset apply to its rows, after those of the table: groups of the two are never joined. */
const keepApart = (rule: Rule): Rule => ({ ...rule, group: rule.group && `virtual ${rule.group}` })
