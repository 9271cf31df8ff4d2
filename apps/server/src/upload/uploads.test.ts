import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, expect, it, vi } from 'vitest'
import { defaultConfig } from '../settings/config.ts'
import type { UploadDeps } from './deps.ts'
import { Uploads } from './uploads.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-uploads-'))
afterAll(() => rmSync(home, { recursive: true, force: true }))
const createUploads = (): Uploads =>
  new Uploads({ settings: { home, config: defaultConfig }, log: pino({ level: 'silent' }) } as unknown as UploadDeps)

it('regression: files that are in tables do not count as waiting, so that the 21st one starts', async () => {
  const uploads = createUploads()
  for (let index = 0; index < 20; index++) {
    const upload = await uploads.begin(1, 10, 'csv')
    if (index < 2) upload.state.state = 'ready'
  }
  await uploads.begin(1, 10, 'csv')
  await uploads.begin(1, 10, 'csv')
  await expect(uploads.begin(1, 10, 'csv')).rejects.toMatchObject({ code: 'too_many' })
  await uploads.begin(2, 10, 'csv')
})

it('regression: a file left for a quarter of an hour makes room for the next one', async () => {
  const uploads = createUploads()
  const clock = vi.spyOn(performance, 'now')
  const start = 1000
  try {
    clock.mockReturnValue(start)
    const left = await uploads.begin(1, 10, 'csv')
    clock.mockReturnValue(start + 60_000)
    for (let index = 0; index < 19; index++) await uploads.begin(1, 10, 'csv')
    clock.mockReturnValue(start + 15 * 60_000)
    await expect(uploads.begin(1, 10, 'csv')).rejects.toMatchObject({ code: 'too_many' })
    clock.mockReturnValue(start + 15 * 60_000 + 1)
    await uploads.begin(1, 10, 'csv')
    expect(() => uploads.find(left.state.id, 1)).toThrow('no longer exists')
    await expect.poll(() => existsSync(left.path)).toBe(false)
  } finally {
    clock.mockRestore()
  }
})

it('deletes the file of a loaded table at once', async () => {
  const uploads = createUploads()
  const upload = await uploads.begin(1, 10, 'csv')
  expect(existsSync(upload.path)).toBe(true)
  await uploads.finish(upload)
  expect(existsSync(upload.path)).toBe(false)
  expect(uploads.find(upload.state.id, 1)).toBe(upload)
})
