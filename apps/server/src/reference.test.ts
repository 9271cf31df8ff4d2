import { isDifferent, type Received, readReference, type RecordedCase, Replay, type Send } from '@parquetry/testing'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from './runners/create-runners.ts'
import type { Runners } from './runners/runners.ts'
import { startTestServer, type TestServer, type TestUser } from './testing.ts'

const postgres = process.env['PARQUETRY_TEST_POSTGRES']
/** In this order: some leave what the next one counts on. */
const files = ['time-range.json', 'crud.json', 'explore.json', 'security-login.json']

describe.skipIf(!postgres)('recorded answers (PARQUETRY_TEST_POSTGRES with the sample tables)', () => {
  let server: TestServer
  let runners: Runners
  let replay: Replay
  let spill: string

  const send: Send = async (user, by, { method, path, json, form }) => {
    const client = server.as(user === '' ? 'nobody' : (user as TestUser), by)
    const answer = await client.send(method, path, {
      ...(json !== undefined && { payload: JSON.stringify(json), headers: { 'content-type': 'application/json' } }),
      ...(form && {
        payload: new URLSearchParams(form).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      }),
    })
    const contentType = String(answer.headers['content-type'] ?? '')
    return { status: answer.statusCode, contentType, body: answer.rawPayload } satisfies Received
  }

  beforeAll(async () => {
    spill = mkdtempSync(join(tmpdir(), 'parquetry-spill-'))
    runners = createRunners({ log: pino({ level: 'silent' }), memoryLimitMb: 256, spillFolder: spill })
    server = await startTestServer({ runners })
    replay = new Replay(send)
    await replay.setUp(String(postgres))
  }, 120_000)

  afterAll(async () => {
    await server.close()
    await runners.close(5000)
    rmSync(spill, { recursive: true, force: true })
  })

  for (const file of files)
    describe(file, () => {
      for (const recorded of readReference<RecordedCase>(file)) {
        const { name, request, setup, replay: isReplayed } = recorded
        if (setup) it(`${name} (makes what follows)`, async () => void (await replay.run(recorded)))
        else if (!request || isReplayed === false || request.multipart || isDifferent(file, name)) continue
        else it(name, async () => expect((await replay.run(recorded)).join('\n')).toBe(''))
      }
    })
})
