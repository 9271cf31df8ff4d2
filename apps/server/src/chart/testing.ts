import type { Bundle } from '@parquetry/bundle'
import { flightsFile } from '@parquetry/testing/sample-tables'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pino } from 'pino'
import { importBundle } from '../bundle/import-bundle.ts'
import { embeddedRow } from '../connection/embedded-table.ts'
import { dataFolderOf } from '../connection/source.ts'
import { createRunners } from '../runners/create-runners.ts'
import type { Runners } from '../runners/runners.ts'
import { startTestServer, type TestServer, type TestServerOptions } from '../testing.ts'

export interface CarsServer {
  server: TestServer
  /** Id of the dataset of `cars` in an embedded database. */
  dataset: number
  /** Writes `cars.<version>.duckdb`, with as many copies of each row, as an upload does before the table is changed to it. */
  addFile(version: number): Promise<void>
  /** Number of plans sent to a runner. */
  runs(): number
  /** Number of plans with this text in their statements. */
  countRunsWith(text: string): number
  /** While closed, plans wait before they are sent to a runner. */
  gate: { close(): void; open(): void }
  close(): Promise<void>
}

const types = { Name: 'VARCHAR', Cylinders: 'BIGINT', Horsepower: 'BIGINT', Year: 'TIMESTAMP', Origin: 'VARCHAR' }

/** Starts a server for tests of chart data, with one dataset in an embedded database and its own runners. */
export async function startCarsServer({
  copies = 1,
  ...options
}: TestServerOptions & {
  /** Number of copies of each row. */
  copies?: number
} = {}): Promise<CarsServer> {
  const spill = mkdtempSync(join(tmpdir(), 'parquetry-spill-'))
  const runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 256, spillFolder: spill })
  const ran: string[] = []
  let way: PromiseWithResolvers<void> | null = null
  const counted = new Proxy(runners, {
    get(target, name) {
      if (name !== 'run') return (Reflect.get(target, name) as () => unknown).bind(target)
      return (async (...args) => {
        ran.push(args[0].statements.map(({ text }) => text).join(';'))
        await way?.promise
        return target.run(...args)
      }) satisfies Runners['run']
    },
  })
  const server = await startTestServer({ runners: counted, ...options })
  const { dataset, database } = await addCars(server, runners, copies)
  return {
    server,
    dataset,
    addFile: (version) => loadFile(server, runners, { uuid: database, version, copies: version }),
    runs: () => ran.length,
    countRunsWith: (text) => ran.filter((each) => each.includes(text)).length,
    gate: {
      close: () => void (way = Promise.withResolvers()),
      open: () => way?.resolve(),
    },
    async close() {
      await server.close()
      await runners.close(5000)
      rmSync(spill, { recursive: true, force: true })
    },
  }
}

const tableOf = (version: number) =>
  ({ name: 'cars', file: `cars.${version}.duckdb`, version, format: 'duckdb', table: 'data' }) as const

async function loadFile(
  { home }: TestServer,
  runners: Runners,
  { uuid, version, copies }: { uuid: string; version: number; copies: number },
): Promise<void> {
  const folder = dataFolderOf(home, uuid)
  mkdirSync(folder, { recursive: true })
  const select = `SELECT Name, Cylinders, Horsepower, CAST(Year AS TIMESTAMP) AS Year, Origin FROM source, range(${copies})`
  const path = join(dirname(flightsFile.path), 'cars.json')
  await runners.load(folder, tableOf(version), { path, format: 'json', select }, new AbortController().signal)
}

async function addCars(
  server: TestServer,
  runners: Runners,
  copies: number,
): Promise<{ dataset: number; database: string }> {
  const { deps } = server
  const uuids = { database: randomUUID(), dataset: randomUUID() }
  const columns = Object.entries(types).map(([column_name, type]) => ({
    column_name,
    type,
    is_dttm: type === 'TIMESTAMP',
    groupby: true,
    filterable: true,
  }))
  const bundle: Bundle = {
    metadata: { version: '1.0.0', type: 'SqlaTable', timestamp: '' },
    files: new Map([
      ['databases/d.yaml', { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuids.database }],
      [
        'datasets/d/cars.yaml',
        { table_name: 'cars', uuid: uuids.dataset, database_uuid: uuids.database, main_dttm_col: 'Year', columns },
      ],
    ]),
  }
  await importBundle(deps.db, bundle, { authorId: null, at: '2026-01-01T00:00:00.000', overwrite: false })
  await loadFile(server, runners, { uuid: uuids.database, version: 1, copies })
  const { id: database_id } = await deps.db
    .selectFrom('database')
    .select('id')
    .where('uuid', '=', uuids.database)
    .executeTakeFirstOrThrow()
  await deps.db
    .insertInto('embedded_table')
    .values(embeddedRow(database_id, tableOf(1)))
    .execute()
  const dataset = await deps.db
    .selectFrom('dataset')
    .select('id')
    .where('uuid', '=', uuids.dataset)
    .executeTakeFirstOrThrow()
  return { dataset: dataset.id, database: uuids.database }
}
