import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, it } from 'vitest'
import type { Runners } from '../../runners/runners.ts'
import { readSettings } from '../../settings/settings.ts'
import { start } from '../../start.ts'
import { openStore } from '../../store/open.ts'
import { formatStoredTime } from '../../store/time.ts'
import { addReport, listRuns } from './runs.testing.ts'

const postgresUrl = process.env['PARQUETRY_TEST_POSTGRES']

async function startServers(count: number, metadataUrl: string | null): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'parquetry-started-'))
  const reports = join(folder, 'reports')
  mkdirSync(reports)
  const readHome = (n: number) =>
    readSettings(
      {
        PARQUETRY_PORT: '0',
        PARQUETRY_EXAMPLES: '0',
        PARQUETRY_LOG: 'silent',
        PARQUETRY_REPORTS_FOLDER: reports,
        PARQUETRY_ADMIN_USERNAME: 'admin',
        PARQUETRY_ADMIN_PASSWORD: 'admin',
        ...(metadataUrl !== null && { PARQUETRY_METADATA_URL: metadataUrl }),
      },
      { home: join(folder, `home-${n}`) },
    )
  const runners = { close: () => Promise.resolve() } as Partial<Runners> as Runners
  const servers = []
  for (let n = 0; n < count; n++) servers.push(await start(await readHome(n), { runners }))
  const store = await openStore(await readHome(0))
  const ids: number[] = []
  for (let n = 0; n < 5; n++)
    ids.push(
      await addReport(store.db, {
        crontab: '0 0 1 1 *',
        report_format: 'NONE',
        next_at: formatStoredTime(new Date()),
        context_markdown: 'Hello',
        recipients: [{ type: 'Folder', target: `folder-${n}` }],
      }),
    )
  const states = async () =>
    (await Promise.all(ids.map((id) => listRuns(store.db, id)))).flat().map(({ state }) => state)
  await expect.poll(states, { timeout: 20_000 }).toEqual(ids.map(() => 'Success'))
  await Promise.all(servers.map((server) => server.stop()))
  await store.close()
  for (let n = 0; n < 5; n++) expect(readdirSync(join(reports, `folder-${n}`))).toHaveLength(1)
  rmSync(folder, { recursive: true, force: true })
}

it('a started server sends reports at their time', () => startServers(1, null), 60_000)

if (postgresUrl)
  it('two started servers that share a store send each report once', async () => {
    const name = `started_${process.pid}`
    const admin = new pg.Client({ connectionString: postgresUrl })
    await admin.connect()
    await admin.query(`CREATE DATABASE ${name}`)
    await startServers(2, Object.assign(new URL(postgresUrl), { pathname: `/${name}` }).href)
    await admin.query(`DROP DATABASE ${name} WITH (FORCE)`)
    await admin.end()
  }, 60_000)
