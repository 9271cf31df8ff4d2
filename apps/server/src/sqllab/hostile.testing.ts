import type { Response } from 'light-my-request'
import { expect } from 'vitest'
import { grant } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'
import { newId, type TestLab } from './testing.ts'

/** What stands in every table and view that was not granted. */
export const marker = 'top-secret-7f3'

/** Texts by what they try. */
export interface Attempts {
  /** Show the marker to whoever may read everything: without the judge they would to all. */
  reading: readonly string[]
  /** Tell of other tables, of settings or of sessions, write, wait or are no single text: refused, whatever they would give. */
  refused: readonly string[]
  /** What stays open to somebody who may read one table. */
  open: readonly string[]
}

/** Makes a table of a database, or a text over its tables, a dataset, and gives its data right to everybody with SQL Lab. @returns the dataset's id */
export async function grantTable(
  { server }: Pick<TestLab, 'server'>,
  database: number,
  { schema, table, sql }: { schema: string | null; table: string; sql?: string },
): Promise<number> {
  const made = await server.as('admin').post('/api/v1/dataset/', { database, schema, table_name: table, sql })
  if (made.statusCode !== 201) throw new Error(made.body)
  const { id } = made.json<{ id: number }>()
  const { view } = await server.deps.db
    .selectFrom('permission')
    .select('view')
    .where('name', '=', 'datasource_access')
    .where('view', 'like', `%(id:${id})`)
    .executeTakeFirstOrThrow()
  await grant(server.deps.db, 'sql_lab', ['datasource_access', view])
  server.app.authenticator.forget()
  return id
}

/** An expression gets nothing of the marker from wherever it may stand in a question over a granted dataset, by who may not read all. */
export async function provesShutInCharts({ server }: TestLab, dataset: number, sqlExpression: string): Promise<void> {
  const column = { sqlExpression, label: 'x', expressionType: 'SQL' }
  const questions = {
    column: { columns: [column] },
    metric: { metrics: [{ ...column, sqlExpression: `max(${sqlExpression})` }] },
    order: { columns: ['id'], orderby: [[column, true]] },
    WHERE: { columns: ['id'], extras: { where: `${sqlExpression} IS NOT NULL` } },
    'WHERE that ends': { columns: ['id'], extras: { where: `${sqlExpression} IS NOT NULL;` } },
    HAVING: { columns: ['id'], metrics: ['count'], extras: { having: `max(${sqlExpression}) IS NOT NULL` } },
    filter: { columns: ['id'], filters: [{ col: column, op: 'IS NOT NULL' }] },
  }
  for (const [place, query] of Object.entries(questions)) {
    const { statusCode, body } = await server.as('sqllab').post('/api/v1/chart/data', {
      datasource: { id: dataset, type: 'table' },
      queries: [query],
      force: true,
    })
    expect(body, place).not.toContain(marker)
    expect([400, 403], `${place}: ${body}`).toContain(statusCode)
  }
}

export interface Campaign {
  run(sql: string, user: TestUser, more?: object): Promise<Response>
  /** For `it.each` over `Attempts.reading`. */
  provesReading(sql: string): Promise<void>
  provesRefused(sql: string): Promise<void>
  provesOpen(sql: string): Promise<void>
}

/** @param place  database and schema of the texts */
export function campaign(lab: () => TestLab, place: () => { database_id: number; schema: string | null }): Campaign {
  const run: Campaign['run'] = (sql, user, more = {}) =>
    lab().run(sql, { ...place(), client_id: newId(), ...more }, user)
  async function provesRefused(sql: string): Promise<void> {
    for (const more of [{}, { schema: null }]) {
      const { statusCode, body } = await run(sql, 'sqllab', more)
      expect(body).not.toContain(marker)
      expect([400, 403, 413], body).toContain(statusCode)
    }
  }
  return {
    run,
    provesRefused,
    async provesReading(sql) {
      const open = await run(sql, 'admin')
      expect(open.body).toContain(marker)
      await provesRefused(sql)
    },
    async provesOpen(sql) {
      const { statusCode, body } = await run(sql, 'sqllab')
      expect(statusCode, body).toBe(200)
      expect(body).not.toContain(marker)
    },
  }
}
