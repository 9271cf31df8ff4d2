import { mkdtempSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import type { Runners } from './runners/runners.ts'
import { readSettings } from './settings/settings.ts'
import { start } from './start.ts'
import { storePath } from './store/open.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-stopping-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))

const settings = () => readSettings({ PARQUETRY_PORT: '0', PARQUETRY_EXAMPLES: '0', PARQUETRY_LOG: 'silent' }, { home })

it('regression: a stopping server reports it on its open port before closing the port', async () => {
  const ends = Promise.withResolvers<void>()
  const runners = { close: () => ends.promise } as Partial<Runners> as Runners
  const server = await start(await settings(), { runners })
  const ask = async (path: string) => {
    const response = await fetch(`${server.url}${path}`)
    return [response.status, response.headers.get('retry-after'), await response.text()]
  }
  expect((await ask('/health')).slice(0, 1)).toEqual([200])
  const stopped = server.stop()
  const restarting = [503, '2', expect.stringContaining('The server is restarting.')]
  expect(await ask('/health')).toEqual(restarting)
  expect(await ask('/api/v1/chart/')).toEqual(restarting)
  ends.resolve()
  await stopped
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})

it('regression: a server stops even when its store cannot be written', async () => {
  const runners = { close: () => Promise.resolve() } as Partial<Runners> as Runners
  const server = await start(await settings(), { runners })
  renameSync(storePath(home), `${storePath(home)}.old`)
  expect((await fetch(`${server.url}/health`)).status).toBe(503)
  await server.stop()
  await expect(fetch(`${server.url}/health`)).rejects.toThrow()
})
