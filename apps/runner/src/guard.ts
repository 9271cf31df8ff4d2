import type { Instance } from '@parquetry/engines/drivers'
import type { InspectedStatement, Inspection } from '@parquetry/model'
import { guardEmbedded } from '@parquetry/sql'
import { parseDuckdb } from './inspect/duckdb.ts'
import { inspect } from './inspect/inspect.ts'

/** Number of texts whose inspection is cached: a dashboard runs the same ones repeatedly. */
const maxCachedTexts = 500
const maxCachedLength = 20_000

/** Inspects every SQL text before it runs on an embedded instance, whatever its origin. */
export class Guard {
  #instance: Instance
  #inspections = new Map<string, Inspection>()

  constructor(instance: Instance) {
    this.#instance = instance
  }

  /**
   * @param table  a table of the session, read instead of the views
   * @throws AppError if the text is anything but one reading statement over the views
   */
  async check(sql: string, table?: string): Promise<InspectedStatement> {
    const inspection = await this.#inspect(sql)
    await this.#instance.reopenTables(inspection.statements.flatMap(({ tables }) => tables.map(({ name }) => name)))
    return guardEmbedded(inspection, table === undefined ? this.#instance.views() : [table], sql)
  }

  async #inspect(sql: string): Promise<Inspection> {
    const known = this.#inspections.get(sql)
    if (known) return known
    const inspection = await inspect(sql, 'duckdb', (statement) =>
      parseDuckdb(statement, (text) => this.#instance.parse(text)),
    )
    if (sql.length > maxCachedLength) return inspection
    const [oldest] = this.#inspections.keys()
    if (this.#inspections.size >= maxCachedTexts && oldest !== undefined) this.#inspections.delete(oldest)
    this.#inspections.set(sql, inspection)
    return inspection
  }
}
