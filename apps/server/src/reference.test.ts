import {
  knownDifferenceOf,
  readKnownDifferences,
  readReference,
  Replay,
  type KnownDifference,
  type ReplayResponse,
  type RecordedCase,
  type SendRequest,
} from '@parquetry/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { defaultConfig, defaultFlags } from './settings/config.ts'
import { createReferenceDatabase, type ReferenceDatabase } from './reference.testing.ts'
import { createRunners } from './runners/create-runners.ts'
import type { Runners } from './runners/runners.ts'
import { startTestServer, type TestServer, type TestUser } from './testing.ts'

/** Flags that were on when the responses were recorded, as far as they apply here. */
const flags = {
  ...defaultFlags,
  DRILL_TO_DETAIL: true,
  DASHBOARD_CROSS_FILTERS: true,
  TAGGING_SYSTEM: true,
  DASHBOARD_RBAC: true,
  EMBEDDED_SUPERSET: true,
  GENERIC_CHART_AXES: true,
  ALERT_REPORTS: true,
  THUMBNAILS: false,
  ESTIMATE_QUERY_COST: true,
  ENABLE_TEMPLATE_PROCESSING: true,
  RLS_IN_SQLLAB: false,
}
const postgres = process.env['PARQUETRY_TEST_POSTGRES']
/** Name of the database that contained the tables; the server was on 127.0.0.1 with a user `lab`, and must be here as well. */
const recordedName = 'lab'
/** The order matters: some files create data that the next one needs. */
const files = [
  'chart-data.json',
  'post-processing.json',
  'time-range.json',
  'crud.json',
  'explore.json',
  'security-login.json',
  'sqllab.json',
]

describe.skipIf(!postgres)('recorded responses', () => {
  let server: TestServer | undefined
  let runners: Runners | undefined
  let tables: ReferenceDatabase | undefined
  let replay: Replay
  let spill: string

  const send: SendRequest = async (user, by, { method, path, json, form }) => {
    const client = server!.as(user === '' ? 'nobody' : (user as TestUser), by)
    const response = await client.send(method, path, {
      ...(json !== undefined && { payload: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
      ...(form && {
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })
    const contentType = String(response.headers['content-type'] ?? '')
    const named = tables && response.rawPayload.includes(tables.name)
    const body = named ? Buffer.from(response.body.replaceAll(tables!.name, recordedName)) : response.rawPayload
    return { status: response.statusCode, contentType, body } satisfies ReplayResponse
  }

  beforeAll(async () => {
    spill = mkdtempSync(join(tmpdir(), 'parquetry-spill-'))
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 256, spillFolder: spill })
    tables = await createReferenceDatabase(String(postgres), runners, spill)
    // The recorded server could send e-mails.
    const config = { ...structuredClone(defaultConfig), SMTP_HOST: 'localhost', SMTP_MAIL_FROM: 'a@example.com' }
    server = await startTestServer({ runners, settings: { flags, config } })
    replay = new Replay(send)
    await replay.setUp(tables.url)
  }, 120_000)

  afterAll(async () => {
    await server?.close()
    await runners?.close(5000)
    await tables?.drop()
    rmSync(spill, { recursive: true, force: true })
  })

  for (const file of files)
    describe(file, () => {
      const differing = new Set<KnownDifference>()
      for (const recorded of readReference<RecordedCase>(file)) {
        const { name, request, setup, replay: isReplayed } = recorded
        const difference = knownDifferenceOf(file, name)
        if (setup) it(`${name} (makes what follows)`, async () => void (await replay.run(recorded)))
        else if (!request || isReplayed === false || request.multipart) continue
        else if (difference)
          it(`${name} (differs: ${difference.reason})`, async () => {
            const found = await replay.run(recorded).catch(String)
            if (found.length > 0) differing.add(difference)
          })
        else it(name, async () => expect((await replay.run(recorded)).join('\n')).toBe(''))
      }

      it('differs in every case listed in differences.json', () => {
        const stale = readKnownDifferences().filter(
          (one) => one.file === file && !differing.has(knownDifferenceOf(file, one.name ?? one.prefix ?? '') ?? one),
        )
        expect(stale).toEqual([])
      })
    })
})
