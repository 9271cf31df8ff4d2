import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { grant } from '../security/grants.ts'
import type { TestUser } from '../testing.ts'
import { addRowLevelSecurityRule } from '../row-level-security/rules.testing.ts'
import { grantTable } from '../sqllab/hostile.testing.ts'
import { type ExecuteResult, newId, startTestLab, type TestLab } from '../sqllab/testing.ts'

const url = process.env['PARQUETRY_TEST_MYSQL']
const schema = `unread_${process.pid}`
/** MariaDB accepts it, our parser does not. */
const examiningSql = (own = '*') => `SELECT ${own} FROM cars ORDER BY id LIMIT ROWS EXAMINED 1000`

describe.skipIf(!url)('a statement that no parser accepts', () => {
  let lab: TestLab
  let writing: number
  let reading: number
  beforeAll(async () => {
    lab = await startTestLab()
    writing = await lab.connect({ database_name: 'writing', sqlalchemy_uri: url, allow_dml: true })
    reading = await lab.connect({ database_name: 'reading', sqlalchemy_uri: url })
    for (const sql of [
      `CREATE DATABASE ${schema}`,
      `CREATE TABLE ${schema}.cars AS SELECT 1 AS id UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5`,
      `CREATE TABLE ${schema}.other AS SELECT 1 AS id`,
    ]) {
      const made = await run(sql, 'admin', { schema: 'information_schema' })
      expect(made.statusCode, made.body).toBe(200)
    }
    await grant(lab.server.deps.db, 'sql_lab', ['database_access', `[writing].(id:${writing})`])
    lab.server.app.authenticator.forget()
  }, 60_000)
  afterAll(async () => {
    await run(`DROP DATABASE ${schema}`, 'admin', { schema: 'information_schema' })
    await lab.close()
  })
  const run = (sql: string, user: TestUser = 'admin', more: object = {}) =>
    lab.run(sql, { database_id: writing, schema, client_id: newId(), ...more }, user)
  const expectRefused = async (...args: Parameters<typeof run>) => {
    const { statusCode, body } = await run(...args)
    expect([statusCode, body]).toEqual([400, expect.stringContaining('SYNTAX_ERROR')])
  }

  it('runs as typed for administrators, and is logged', async () => {
    const warn = vi.spyOn(lab.server.deps.log, 'warn')
    const { data, query } = (await run(examiningSql())).json<ExecuteResult>()
    expect(data).toHaveLength(5)
    expect(query).toMatchObject({ executedSql: examiningSql(), limitingFactor: 'NOT_LIMITED', rows: 5 })
    expect(warn).toHaveBeenCalledWith({ userId: 1, databaseId: writing }, expect.stringContaining('run as typed'))
    const kept = await lab.server.as('admin').get(`/api/v1/sqllab/results/?q=(key:'${query.resultsKey}')`)
    expect(kept.json<ExecuteResult>().data).toHaveLength(5)
  })

  it('is cut at the limit', async () => {
    const { data, query } = (await run(examiningSql(), 'admin', { queryLimit: 2 })).json<ExecuteResult>()
    expect(data).toEqual([{ id: 1 }, { id: 2 }])
    expect(query).toMatchObject({ executedSql: examiningSql(), limitingFactor: 'DROPDOWN', rows: 2, limit: 2 })
  })

  it('is rejected for other users, and where changes are not allowed', async () => {
    await expectRefused(examiningSql(), 'sqllab')
    await expectRefused(examiningSql(), 'admin', { database_id: reading })
  })

  it('is rejected beside another statement, from a template, and when it names a forbidden function anywhere', async () => {
    await expectRefused(`SELECT 1; ${examiningSql()}`)
    await expectRefused(`${examiningSql()}; DROP TABLE cars`)
    lab.server.deps.settings.flags['ENABLE_TEMPLATE_PROCESSING'] = true
    await expectRefused(examiningSql('{{ 1 }}'))
    lab.server.deps.settings.flags['ENABLE_TEMPLATE_PROCESSING'] = false
    await expectRefused(examiningSql('LOAD_FILE("/etc/passwd")'))
    await expectRefused(examiningSql('`sleep`(9)'))
  })

  it('cannot be validated, estimated or turned into a table', async () => {
    const admin = lab.server.as('admin')
    const checked = await admin.post(`/api/v1/database/${writing}/validate_sql/`, { sql: examiningSql(), schema })
    expect(checked.json<{ result: unknown[] }>().result).toHaveLength(1)
    const estimate = await admin.post('/api/v1/sqllab/estimate/', { database_id: writing, sql: examiningSql(), schema })
    expect(estimate.statusCode).toBeGreaterThanOrEqual(400)
    const dataset = { database: writing, schema, table_name: 'made', sql: examiningSql() }
    expect((await admin.post('/api/v1/dataset/', dataset)).statusCode).toBe(422)
    await lab.server.deps.db.updateTable('database').set({ allow_ctas: 1 }).execute()
    expect((await run(examiningSql(), 'admin', { select_as_cta: true, tmp_table_name: 'x' })).body).toContain('CTAS')
  })

  it('is rejected for users with a row-level security rule', async () => {
    const { db } = lab.server.deps
    const dataset = await grantTable(lab, writing, { schema, table: 'other' })
    await addRowLevelSecurityRule(db, dataset, 'Admin', 'id > 0')
    await expectRefused(examiningSql())
  })
})
