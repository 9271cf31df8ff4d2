import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createZip, defaultArchiveLimits } from '@parquetry/bundle'
import type { AppError, ImportProgress } from '@parquetry/model'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRunners } from './create-runners.ts'
import type { Runners } from './runners.ts'
import { neverAborted } from './testing.ts'

const home = mkdtempSync(join(tmpdir(), 'parquetry-bundles-'))
const uploads = join(home, 'packed.zip')
let runners: Runners

beforeAll(() => {
  runners = createRunners({
    log: pino({ level: 'silent' }),
    memoryLimitMb: 128,
    spillFolder: join(home, 'spill'),
    cores: 2,
    archiveLimits: { ...defaultArchiveLimits, objects: 300 },
  })
})
afterAll(async () => {
  await runners.close(0)
  rmSync(home, { recursive: true })
})

async function store(files: Record<string, string>): Promise<void> {
  const all = { 'r/metadata.yaml': 'version: 1.0.0\ntype: Slice\ntimestamp: x\n', ...files }
  const packed = Object.entries(all).map(([path, text]): [string, Buffer] => [path, Buffer.from(text)])
  writeFileSync(uploads, await createZip(new Map(packed), new Date(0)))
}

const charts = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`r/charts/${index}.yaml`, `slice_name: ä${index}\n`]))

const read = (onProgress?: (progress: ImportProgress) => void) =>
  runners.readBundle(uploads, neverAborted, 'ada', onProgress)

describe('reading a bundle in a runner', () => {
  it('keeps its documents on disk until it is closed', async () => {
    await store(charts(300))
    const progress: ImportProgress[] = []
    const bundle = await read((one) => progress.push(one))
    expect(bundle.metadata).toEqual({ version: '1.0.0', type: 'Slice', timestamp: 'x' })
    expect(bundle.paths).toHaveLength(300)
    expect(await Promise.all([bundle.read('charts/7.yaml'), bundle.read('charts/299.yaml')])).toEqual([
      { slice_name: 'ä7' },
      { slice_name: 'ä299' },
    ])
    await expect(bundle.read('charts/300.yaml')).rejects.toThrow(RangeError)
    // Nothing is left when this process is killed now.
    expect(readdirSync(home).toSorted()).toEqual(['packed.zip', 'spill'])
    await bundle.close()
    await expect(bundle.read('charts/7.yaml')).rejects.toThrow()
    expect(progress.at(-1)).toEqual({ step: 'reading', done: 301, total: 301 })
    expect(progress.length).toBeGreaterThan(10)
  })

  it.each<[string, Record<string, string>, string]>([
    ['one object more than the setting', charts(301), 'more than 300 objects, the limit IMPORT_OBJECT_LIMIT'],
    [
      'a wrong file among others',
      { ...charts(20), 'r/charts/x.yaml': 'a: 1\nb: [' },
      '"charts/x.yaml":"Not a valid YAML',
    ],
    ['metadata of another version', { 'r/metadata.yaml': 'version: 2.0.0' }, 'Must be equal to 1.0.0'],
  ])('refuses %s, and leaves no file', async (_name, files, sentence) => {
    await store(files)
    const error = await read().then(
      () => undefined,
      (thrown: AppError) => thrown,
    )
    expect(error?.code).toBe('unprocessable')
    expect(`${error?.message} ${JSON.stringify(error?.details)}`).toContain(sentence)
    expect(readdirSync(home).toSorted()).toEqual(['packed.zip', 'spill'])
  })

  it('finds the line of a field', async () => {
    await store({ 'r/charts/a.yaml': 'slice_name: a\nparams:\n  metric: x\n' })
    const find = (file: string, ...keys: string[]) => runners.findBundleLine(uploads, file, keys, neverAborted, 'ada')
    expect(await find('charts/a.yaml', 'params', 'metric')).toBe(3)
    expect(await find('charts/a.yaml', 'missing')).toBeUndefined()
    expect(await find('charts/b.yaml', 'params')).toBeUndefined()
  })
})
