import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import fastify from 'fastify'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAssets } from './assets.ts'
import { compressInBackground } from './background-compression.ts'

describe('compression of built files', () => {
  const script = `${'export const answer = 42\n'.repeat(200)}`
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'parquetry-dist-'))
    mkdirSync(join(folder, 'assets'))
    writeFileSync(join(folder, 'index.html'), '<html>')
    writeFileSync(join(folder, 'assets/main-D4f3Gh1x.js'), script)
    writeFileSync(join(folder, 'assets/small-D4f3Gh1x.js'), 'short')
    writeFileSync(join(folder, 'assets/font-D4f3Gh1x.woff2'), script)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  const files = () => readdirSync(join(folder, 'assets')).toSorted()
  const plain = ['font-D4f3Gh1x.woff2', 'main-D4f3Gh1x.js', 'small-D4f3Gh1x.js']
  const compress = (signal = new AbortController().signal) =>
    compressInBackground(folder, { log: pino({ level: 'silent' }), signal })

  it('runs once per build that requests it, and serves compressed files without a restart', async () => {
    const http = fastify()
    const assets = openAssets(folder)
    http.get('/main', (request, reply) => assets.send('assets/main-D4f3Gh1x.js', request, reply))
    const get = () => http.inject({ url: '/main', headers: { 'accept-encoding': 'gzip, br' } })
    expect((await get()).headers['content-encoding']).toBe(undefined)

    writeFileSync(join(folder, '.compress'), 'hash of the build')
    await compress()
    expect(files()).toEqual([...plain, 'main-D4f3Gh1x.js.br', 'main-D4f3Gh1x.js.gz'].toSorted())
    expect(readFileSync(join(folder, '.compressed'), 'utf8')).toBe('hash of the build')
    const compressed = await get()
    expect(compressed.headers['content-encoding']).toBe('br')
    expect(brotliDecompressSync(compressed.rawPayload).toString()).toBe(script)
    await http.close()

    rmSync(join(folder, 'assets/main-D4f3Gh1x.js.br'))
    await compress()
    expect(files()).not.toContain('main-D4f3Gh1x.js.br')
  })

  it('does nothing when the build does not request it or after an abort', async () => {
    await compress()
    expect(files()).toEqual(plain)
    writeFileSync(join(folder, '.compress'), 'hash of the build')
    await compress(AbortSignal.abort())
    expect(files()).toEqual(plain)
  })

  it('logs a warning when the folder cannot be read, and the next start retries', async () => {
    writeFileSync(join(folder, '.compress'), 'hash of the build')
    mkdirSync(join(folder, 'assets/broken-D4f3Gh1x.js.gz'))
    writeFileSync(join(folder, 'assets/broken-D4f3Gh1x.js'), script)
    const warnings: string[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(line) })
    await compressInBackground(folder, { log, signal: new AbortController().signal })
    expect(warnings).toHaveLength(1)
    expect(existsSync(join(folder, '.compressed'))).toBe(false)
    rmSync(join(folder, 'assets/broken-D4f3Gh1x.js.gz'), { recursive: true })
    await compress()
    expect(existsSync(join(folder, '.compressed'))).toBe(true)
  })
})
