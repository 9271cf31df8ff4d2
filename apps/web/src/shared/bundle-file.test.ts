import { createZip } from '@parquetry/bundle'
import { expect, it } from 'vitest'
import { readBundleKind } from './bundle-file.ts'

const zip = async (files: Record<string, string>): Promise<Buffer> =>
  createZip(new Map(Object.entries(files).map(([path, text]) => [path, Buffer.from(text)])), new Date(0))

const kindOf = (content: Buffer | string, name = 'a.zip') =>
  readBundleKind(new File([new Uint8Array(Buffer.from(content))], name))

it.each([
  ['Dashboard', 'dashboard'],
  ['Slice', 'chart'],
  ['SqlaTable', 'dataset'],
  ['Database', 'database'],
  ['SavedQuery', 'saved_query'],
  ['Theme', 'theme'],
  ['CssTemplate', 'css_template'],
  ['AnnotationLayer', 'annotation_layer'],
  ['assets', 'assets'],
])('LIST-007: a bundle of type %s has its own import call', async (type, kind) => {
  const metadata = `version: 1.0.0\ntype: ${type}\ntimestamp: '2026-01-02T03:04:05+00:00'\n`
  expect(await kindOf(await zip({ 'charts/a.yaml': 'type: bar', 'metadata.yaml': metadata }))).toBe(kind)
  expect(await kindOf(await zip({ 'chart_export_1/metadata.yaml': metadata }))).toBe(kind)
  expect(await kindOf(await zip({ 'metadata.yaml': `"type": "${type}"\r\n` }))).toBe(kind)
})

it('finds the metadata of a bundle that is in a folder of a folder, or among a thousand files', async () => {
  const metadata = 'type: Dashboard\n'
  expect(await kindOf(await zip({ 'a/b/metadata.yaml': metadata, '__MACOSX/metadata.yaml': 'type: Theme' }))).toBe(
    'dashboard',
  )
  const charts = Object.fromEntries(Array.from({ length: 1000 }, (_, n) => [`export/charts/chart ${n}.yaml`, 'a: 1']))
  expect(await kindOf(await zip({ ...charts, 'export/metadata.yaml': metadata }))).toBe('dashboard')
})

it('does not know the kind of a bundle whose metadata is unreadable or says nothing', async () => {
  expect(await kindOf(await zip({ 'metadata.yaml': 'version: 1.0.0' }))).toBe('unknown')
  expect(await kindOf(await zip({ 'metadata.yaml': 'type: Spaceship' }))).toBe('unknown')
  const good = await zip({ 'metadata.yaml': `type: Theme\n${'#'.repeat(500)}` })
  const damaged = Buffer.from(good)
  damaged.fill(0xff, 45, 60)
  expect(await kindOf(damaged)).toBe('unknown')
})

it('is quick with metadata that unpacks to far more than it should', async () => {
  expect(await kindOf(await zip({ 'metadata.yaml': `type: Theme\n${'#'.repeat(8 << 20)}` }))).toBe('theme')
})

it('LIST-007: no other file is a bundle', async () => {
  expect(await kindOf(await zip({ 'data.csv': 'a,b' }))).toBeNull()
  expect(await kindOf('')).toBeNull()
  expect(await kindOf('type: Dashboard')).toBeNull()
  const cut = await zip({ 'metadata.yaml': 'type: Theme' })
  expect(await kindOf(cut.subarray(0, cut.length - 10))).toBeNull()
  expect(await kindOf('[{"a": 1}]', 'data.json')).toBeNull()
})

it('recognizes the exports of the first versions of the API', async () => {
  expect(await kindOf('{"dashboards": [{"__Dashboard__": {}}]}', 'old.json')).toBe('dashboard')
  expect(await kindOf('databases:\n- database_name: lab\n', 'old.yaml')).toBe('dataset')
})
