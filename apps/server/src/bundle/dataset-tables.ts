import type { Kysely } from 'kysely'
import type { Connection } from '../connection/connection.ts'
import { type StoredTableName, tableKey } from '../connection/table-names.ts'
import { datasetName } from '../dataset/stored-dataset.ts'
import type { Tables } from '../store/tables.ts'
import type { StoredObject } from './stored-objects.ts'

/** Where a dataset reads from, and its SQL. */
export interface DatasetLocation extends StoredTableName {
  database_id: number
  sql: string | null
}

const nameKey = ({ catalog, schema, table_name }: StoredTableName): string =>
  JSON.stringify([catalog ?? '', schema ?? '', table_name])

export const isSameLocation = (a: DatasetLocation, b: DatasetLocation): boolean =>
  a.database_id === b.database_id && nameKey(a) === nameKey(b)

type Keys = (table: StoredTableName & { sql: string | null }) => string[]

const toKeysOf =
  (database: Parameters<typeof tableKey>[0]): Keys =>
  (table) => [`name ${nameKey(table)}`, ...(table.sql ? [] : [`table ${tableKey(database, table)}`])]

/** Datasets of one database by their names, and by their table in every spelling. */
interface DatabaseTables {
  keysOf: Keys
  datasets: Map<string, StoredObject>
}

/**
 * Finds datasets that have the table or name of another one of a bundle. The calls that save datasets refuse two of one table, so
 * an import does not create them either.
 */
export class DatasetTables {
  readonly #db: Kysely<Tables>
  readonly #databases = new Map<number, Promise<DatabaseTables | undefined>>()
  readonly #paths = new Map<string, string>()
  readonly #claims: { location: DatasetLocation; id: number | undefined }[] = []

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /** The stored dataset of a table or name, except the one with the id. */
  async find(location: DatasetLocation, id?: number): Promise<StoredObject | undefined> {
    const tables = await this.#load(location.database_id)
    const found = tables?.keysOf(location).flatMap((key) => tables.datasets.get(key) ?? [])
    return found?.find((dataset) => dataset.id !== id)
  }

  /** Tells how a database that does not exist yet spells names. */
  addDatabase(id: number, { engine, settings }: Connection): void {
    const database = { backend: engine.name, settings: JSON.stringify(settings) }
    this.#databases.set(id, Promise.resolve({ keysOf: toKeysOf(database), datasets: new Map() }))
  }

  /** Notes that a file will have the table. @returns the path of another file that has it */
  async claim(location: DatasetLocation, path: string, id: number | undefined): Promise<string | undefined> {
    const { database_id } = location
    const tables = await this.#load(database_id)
    const keys = (tables?.keysOf(location) ?? [nameKey(location)]).map((key) => `${database_id} ${key}`)
    const other = keys.map((key) => this.#paths.get(key)).find((each) => each !== undefined)
    if (other !== undefined) return other
    for (const key of keys) this.#paths.set(key, path)
    this.#claims.push({ location, id })
    return undefined
  }

  /** Tests if others have created datasets of the claimed tables meanwhile. */
  async isStale(db: Kysely<Tables>): Promise<boolean> {
    const now = new DatasetTables(db)
    for (const { location, id } of this.#claims) if (await now.find(location, id)) return true
    return false
  }

  #load(id: number): Promise<DatabaseTables | undefined> {
    const known = this.#databases.get(id) ?? this.#read(id)
    this.#databases.set(id, known)
    return known
  }

  async #read(id: number): Promise<DatabaseTables | undefined> {
    const database = await this.#db.selectFrom('database').selectAll().where('id', '=', id).executeTakeFirst()
    if (!database) return undefined
    const keysOf = toKeysOf(database)
    const rows = await this.#db
      .selectFrom('dataset')
      .select(['id', 'uuid', 'changed_on as version', 'catalog', 'schema', 'table_name'])
      .select(({ fn, val }) => fn<string>('substr', ['sql', val(1), val(1)]).as('sql'))
      .where('database_id', '=', id)
      .execute()
    const datasets = new Map<string, StoredObject>()
    for (const { id: datasetId, uuid, version, ...table } of rows)
      for (const key of keysOf(table))
        datasets.set(key, { id: datasetId, uuid, version, userId: null, datasetName: datasetName(table) })
    return { keysOf, datasets }
  }
}
