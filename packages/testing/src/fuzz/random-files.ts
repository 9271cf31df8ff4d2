import type { Random } from '@parquetry/model/testing/random'
import { toText } from './random-value.ts'

/** Packs files by name into a ZIP archive. */
export type PackFiles = (files: ReadonlyMap<string, Buffer>) => Promise<Buffer>

const uuid = (digit: number): string => `${String(digit).repeat(8)}-0000-4000-8000-${'0'.repeat(12)}`

/** Documents of a complete bundle, by path. */
const documents: Readonly<Record<string, Record<string, unknown>>> = {
  'databases/d.yaml': { database_name: 'd', sqlalchemy_uri: 'duckdb://', uuid: uuid(1), version: '1.0.0' },
  'datasets/d/t.yaml': {
    table_name: 't',
    uuid: uuid(2),
    database_uuid: uuid(1),
    columns: [],
    metrics: [],
    sql: 'select 1',
  },
  'charts/c.yaml': { slice_name: 'c', viz_type: 'table', uuid: uuid(3), dataset_uuid: uuid(2), params: {} },
  'dashboards/b.yaml': { dashboard_title: 'b', uuid: uuid(4), position: {}, metadata: {}, published: true },
  'queries/d/q.yaml': { label: 'q', sql: 'select 1', uuid: uuid(5), database_uuid: uuid(1) },
  'themes/t.yaml': { theme_name: 't', json_data: {}, uuid: uuid(6) },
  'tags.yaml': { tags: [{ tag_name: 'a', description: 'b' }] },
}
/** Types of bundles, by a part of the path of their import. */
const typesByPath: Readonly<Record<string, string>> = {
  '/assets/': 'assets',
  '/chart/': 'Slice',
  '/dashboard/': 'Dashboard',
  '/database/': 'Database',
  '/dataset/': 'SqlaTable',
  '/saved_query/': 'SavedQuery',
  '/theme/': 'Theme',
}
const types = ['Database', 'SqlaTable', 'Slice', 'Dashboard', 'SavedQuery', 'Theme', 'assets', 'nope', 7]
const brokenTexts = [
  '',
  '\u0000',
  '{',
  '- [',
  'a: &a [*a]',
  '!!js/function "x"',
  'a: !!binary x',
  `${'['.repeat(200)}`,
  'a: 1\na: 2',
]
const oddPaths = [
  '../../x.yaml',
  '/etc/passwd',
  'charts/\u0000.yaml',
  'nope/x.yaml',
  'charts/',
  `${'d/'.repeat(200)}x.yaml`,
]

/**
 * Creates an archive to import: complete, or with files that are missing, broken, of other types or at odd paths.
 * @param path  of the call
 * @param nextValue  returns a random value
 */
export async function createRandomArchive(
  path: string,
  { random, pack, nextValue }: { random: Random; pack: PackFiles; nextValue: () => unknown },
): Promise<Buffer> {
  const isComplete = random() < 0.4
  const files = new Map<string, Buffer>()
  const root = isComplete ? 'export/' : random.pick(['export/', 'export/', '', 'a/b/', '../'])
  const add = (name: string, content: string) => void files.set(root + name, Buffer.from(content))
  const own = Object.entries(typesByPath).find(([part]) => path.includes(part))?.[1] ?? 'assets'
  const metadata = { version: '1.0.0', type: own, timestamp: '2024-01-01T00:00:00' }
  const odd = { version: random.pick(['1.0.0', 1, '2']), type: random.pick([own, ...types]), timestamp: nextValue() }
  if (isComplete || random() < 0.95)
    add('metadata.yaml', JSON.stringify(isComplete || random() < 0.5 ? metadata : random.pick([odd, nextValue()])))
  for (const [name, document] of Object.entries(documents)) {
    const isOther = name.startsWith('themes/') !== (own === 'Theme')
    if (isComplete ? isOther : random() < 0.3) continue
    // JSON is YAML too.
    if (isComplete) add(name, JSON.stringify(document))
    else if (random() < 0.05) add(name, random.pick(brokenTexts))
    else add(name, JSON.stringify(changeFields(random, document, nextValue)))
  }
  if (isComplete) return pack(files)
  if (random() < 0.1) add(random.pick(oddPaths), toText(nextValue()))
  try {
    return damage(random, await pack(files))
  } catch {
    return Buffer.from('PK') // The packer refuses some paths.
  }
}

/** Leaves out some fields and changes others. */
const changeFields = (random: Random, document: Record<string, unknown>, nextValue: () => unknown): object =>
  Object.fromEntries(
    Object.entries(document)
      .filter(() => random() >= 0.05)
      .map(([field, value]) => [field, random() < 0.15 ? nextValue() : value]),
  )

/** Sometimes cuts the bytes or changes some of them. */
function damage(random: Random, bytes: Buffer): Buffer {
  const luck = random()
  if (luck < 0.1) return bytes.subarray(0, random.int(bytes.length))
  if (luck < 0.3)
    for (let count = random.pick([1, 3, 20]); count > 0; count--) bytes[random.int(bytes.length)] = random.int(256)
  return bytes
}

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** Creates a file of another kind: a table, an image or random bytes. */
export function createRandomFile(random: Random): Buffer {
  const kinds = [
    () => Buffer.from('id,name\n1,a\n2,b\n'),
    () => Buffer.from('id;name\r\n1;"a\n"\r\n2;b;c'),
    () => Buffer.from('\uFEFFa\tb\n\u0000\t1'),
    () => Buffer.from('[{"a":1},{"a":"x"}]'),
    () => Buffer.from('PAR1'),
    () => Buffer.from(pixel),
    () => Buffer.from(Array.from({ length: random.int(200) }, () => random.int(256))),
  ]
  return damage(random, random.pick(kinds)())
}
