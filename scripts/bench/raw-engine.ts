import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

/** DuckDB on the same table files and nothing else: the floor of all data queries. */
export interface RawEngine {
  /** Milliseconds until all values of a statement's result are fetched. */
  run(sql: string): Promise<number>
  /** Milliseconds for all statements, with one at a time on each core. */
  runAll(statements: readonly string[]): Promise<number>
  close(): void
}

/** @param home data folder of a product whose example tables are loaded */
export async function openRawEngine(home: string): Promise<RawEngine> {
  const instance = await DuckDBInstance.create(':memory:', { threads: String(availableParallelism()) })
  const connections = await Promise.all(Array.from({ length: availableParallelism() }, () => instance.connect()))
  const [first] = connections as [DuckDBConnection]
  const data = join(home, 'data')
  for (const folder of readdirSync(data)) {
    for (const file of readdirSync(join(data, folder)).filter((name) => name.endsWith('.duckdb'))) {
      const [name = ''] = file.split('.')
      await first.run(`ATTACH '${join(data, folder, file)}' AS "_${name}" (READ_ONLY)`)
      await first.run(`CREATE VIEW main."${name}" AS SELECT * FROM "_${name}".data`)
    }
  }
  await first.run("SET TimeZone = 'UTC'")
  const runOn = async (connection: DuckDBConnection, sql: string): Promise<void> => {
    const result = await connection.run(sql)
    await result.fetchAllChunks()
  }
  return {
    async run(sql) {
      const begun = performance.now()
      await runOn(first, sql)
      return performance.now() - begun
    },
    async runAll(statements) {
      const begun = performance.now()
      const waiting = [...statements]
      await Promise.all(
        connections.map(async (connection) => {
          for (let sql = waiting.shift(); sql !== undefined; sql = waiting.shift()) await runOn(connection, sql)
        }),
      )
      return performance.now() - begun
    },
    close() {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}
