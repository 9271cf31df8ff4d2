import { type Bundle, createZip, readFolder, writeYaml } from '@parquetry/bundle'
import {
  knownDifferenceOf,
  listReferenceBundles,
  readKnownDifferences,
  readReference,
  Replay,
  type RecordedCase,
} from '@parquetry/testing'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestLab, type TestLab } from '../sqllab/testing.ts'
import type { TestUser } from '../testing.ts'

const file = 'import.json'
const recordedCases = readReference<RecordedCase>(file)
const folder = (kind: string): string => listReferenceBundles().find(({ name }) => name === `2023-04/${kind}`)!.path

type Files = Map<string, Buffer>
type Json = Record<string, unknown>

/** The bundle with some of its documents changed, packed under a root folder. */
function pack(
  { metadata, files }: Bundle,
  change: (files: Files) => void = () => {},
  root = 'export',
): Promise<Buffer> {
  const documents: [string, Json][] = [['metadata.yaml', { ...metadata }], ...files]
  const packed: Files = new Map(documents.map(([path, document]) => [path, Buffer.from(writeYaml(document))]))
  change(packed)
  return createZip(new Map([...packed].map(([path, bytes]) => [`${root}/${path}`, bytes])), new Date(0))
}

/** The bundle with changed documents below a path. */
const edit = ({ metadata, files }: Bundle, start: string, change: (document: Json) => Json): Bundle => ({
  metadata,
  files: new Map([...files].map(([path, document]) => [path, path.startsWith(start) ? change(document) : document])),
})

/** The files that were sent, by the words that the record has for them. */
const archives: Record<string, (dashboard: Bundle, savedQuery: Bundle) => Promise<Buffer>> = {
  'the dashboard bundle of this folder as exported': (bundle) => pack(bundle),
  'the dashboard bundle': (bundle) => pack(bundle),
  'the bundle': (bundle) => pack(bundle),
  'the bundle with a new database uuid': (bundle) => {
    const uuid = '6f8a7f0e-5a0d-4b0e-9a57-0b6d2f1c9e11'
    const renamed = edit(bundle, 'databases/', (document) => ({ ...document, uuid }))
    return pack(edit(renamed, 'datasets/', (document) => ({ ...document, database_uuid: uuid })))
  },
  'databases/lab.yaml is not YAML': (bundle) =>
    pack({ ...bundle, metadata: { ...bundle.metadata, type: 'Database' } }, (files) =>
      files.set('databases/lab.yaml', Buffer.from('a: [1\nb: }')),
    ),
  'a dashboard bundle sent to charts': (bundle) => pack(bundle),
  'the bundle without metadata.yaml': (bundle) => pack(bundle, (files) => files.delete('metadata.yaml')),
  'metadata.yaml says 2.0.0': (bundle) => pack({ ...bundle, metadata: { ...bundle.metadata, version: '2.0.0' } }),
  'charts lack slice_name': (bundle) => pack(edit(bundle, 'charts/', ({ slice_name: _name, ...others }) => others)),
  'the text hello': () => Promise.resolve(Buffer.from('hello')),
  'a ZIP without files': () => createZip(new Map(), new Date(0)),
  'root folder renamed': (bundle) => pack(bundle, undefined, 'another name'),
  'the saved query bundle': (_bundle, savedQuery) => pack(savedQuery),
}
const fileFields = new Set(['formData', 'other'])

describe('recorded imports and exports', () => {
  let lab: TestLab
  let dashboard: Bundle
  let savedQuery: Bundle

  const send = async (
    method: string,
    path: string,
    form?: Record<string, string | Buffer>,
    user: TestUser = 'admin',
  ) => {
    const body = form && new FormData()
    for (const [name, value] of Object.entries(form ?? {}))
      if (typeof value === 'string') body!.set(name, value)
      else body!.set(name, new Blob([new Uint8Array(value)]), 'bundle.zip')
    const request = body && new Request('http://localhost', { method: 'POST', body })
    return lab.server.as(user).send(method, path, {
      ...(request && {
        headers: { 'content-type': request.headers.get('content-type') ?? '', accept: 'application/json' },
        payload: Buffer.from(await request.arrayBuffer()),
      }),
    })
  }

  beforeAll(async () => {
    lab = await startTestLab()
    dashboard = await readFolder(folder('dashboard'))
    savedQuery = await readFolder(folder('saved_query'))
    const passwords = JSON.stringify({ 'databases/lab.yaml': 'lab' })
    for (const [kind, bundle] of [
      ['dashboard', dashboard],
      ['saved_query', savedQuery],
    ] as const) {
      const made = await send('POST', `/api/v1/${kind}/import/`, { formData: await pack(bundle), passwords })
      expect([made.statusCode, made.body]).toEqual([200, '{"message":"OK"}'])
    }
  })
  afterAll(() => lab.close())

  const run = async (recorded: RecordedCase): Promise<string[]> => {
    const multipart = (recorded.request.multipart ?? null) as Record<string, string> | null
    const form: Record<string, string | Buffer> = {}
    for (const [name, value] of Object.entries(multipart ?? {}))
      form[name] = fileFields.has(name) ? await archives[value]!(dashboard, savedQuery) : value
    const replay = new Replay(async (_user, _by, { method, path }) => {
      const { statusCode: status, headers, rawPayload: body } = await send(method, path, multipart ? form : undefined)
      return { status, contentType: String(headers['content-type']), body }
    })
    return replay.run(recorded)
  }

  const differing = new Set<string>()
  for (const recorded of recordedCases) {
    const difference = knownDifferenceOf(file, recorded.name)
    if (difference)
      it(`API-091: ${recorded.name} (differs: ${difference.reason})`, async () => {
        if ((await run(recorded)).length > 0) differing.add(recorded.name)
      })
    else it(`API-091: ${recorded.name}`, async () => expect((await run(recorded)).join('\n')).toBe(''))
  }

  it.each([
    ['database', 'Database', 'Error importing database'],
    ['dataset', 'SqlaTable', 'Error importing dataset'],
    ['chart', 'Slice', 'Error importing chart'],
    ['dashboard', 'Dashboard', 'Error importing dashboard'],
    ['saved_query', 'SavedQuery', 'Error importing saved_queries'],
    ['theme', 'Theme', 'Error importing themes'],
    ['css_template', 'CssTemplate', 'Error importing CSS templates'],
    ['annotation_layer', 'AnnotationLayer', 'Error importing annotation layers'],
    ['assets', 'assets', 'Error importing assets'],
  ] as const)(
    'C089, API-091: what is wrong with a bundle for %s is said as for the recorded kinds',
    async (kind, type, heading) => {
      const path = `/api/v1/${kind}/import/`
      const metadata = { ...dashboard.metadata, type }
      const empty: Bundle = { metadata, files: new Map() }
      const refuse = async (form?: Record<string, string | Buffer>) => {
        const { statusCode, body } = await send('POST', path, form)
        const [error] = (JSON.parse(body) as { errors: [{ message: string; extra: Json; level: string }] }).errors
        const { issue_codes: _issues, ...extra } = error.extra ?? {}
        return [statusCode, error.message, extra]
      }
      const [other, otherType] =
        type === 'Slice'
          ? [savedQuery, 'SavedQuery']
          : [{ ...empty, metadata: { ...metadata, type: 'Slice' as const } }, 'Slice']
      expect(await refuse({ formData: await pack(other) })).toEqual([
        422,
        heading,
        {
          'metadata.yaml': { type: [`Must be equal to ${type}.`], _schema: [`This is a bundle of type ${otherType}.`] },
        },
      ])
      const noMetadata = {
        'metadata.yaml': { _schema: ['The bundle has no metadata.yaml. It is incomplete, or it is not an export.'] },
      }
      const withoutMetadata = await pack(empty, (files) => files.delete('metadata.yaml'))
      expect(await refuse({ formData: withoutMetadata })).toEqual([422, heading, noMetadata])
      expect(await refuse({ formData: await createZip(new Map(), new Date(0)) })).toEqual([422, heading, noMetadata])
      const version = { 'metadata.yaml': { version: ['Must be equal to 1.0.0.'] } }
      const later = await pack({ ...empty, metadata: { ...metadata, version: '2.0.0' } })
      expect(await refuse({ formData: later })).toEqual([422, heading, version])
      const notExport = 'The file is neither a ZIP archive nor an export in JSON or YAML.'
      expect(await refuse({ formData: Buffer.from('hello') })).toEqual([422, notExport, {}])
      expect(await refuse({ other: await pack(empty) })).toEqual([400, expect.stringContaining('formData'), {}])
      expect((await refuse())[0]).toBe(400)
      for (const field of [
        'passwords',
        'ssh_tunnel_passwords',
        'ssh_tunnel_private_keys',
        'ssh_tunnel_private_key_passwords',
      ])
        for (const value of ['{', '[1', '1'])
          expect([field, value, (await refuse({ formData: await pack(empty), [field]: value }))[0]]).toEqual([
            field,
            value,
            400,
          ])
      const fields = { overwrite: 'true', passwords: '', ssh_tunnel_passwords: '{}' }
      const taken = await send('POST', path, { formData: await pack(empty), ...fields })
      expect([taken.statusCode, taken.body]).toEqual([200, '{"message":"OK"}'])
    },
  )

  it.each(['database', 'dataset', 'chart', 'dashboard', 'saved_query', 'theme', 'css_template', 'annotation_layer'])(
    'API-091: %s/export/ answers as for the recorded kinds',
    async (kind) => {
      const get = async (query: string) => {
        const { statusCode, body } = await send('GET', `/api/v1/${kind}/export/${query}`)
        return [statusCode, body.startsWith('{') ? (JSON.parse(body) as Json) : body.slice(0, 2)]
      }
      const notFound = [404, { message: 'Not found' }]
      expect(await get('?q=!(99999)')).toEqual(notFound)
      expect(await get('?q=[99999]')).toEqual(notFound)
      for (const query of ['', '?q=a', '?q=(ids:!(1))', "?q=!('1')", '?q=!(1.5)'])
        expect([query, ...(await get(query))]).toEqual([query, 400, { message: expect.any(String) as string }])
      const { headers, statusCode } = await send('GET', `/api/v1/${kind}/export/?q=!()&token=abc-1`)
      expect([statusCode, headers]).toMatchObject([
        200,
        {
          'content-type': 'application/zip',
          'content-disposition': expect.stringMatching(
            new RegExp(`^attachment; filename=${kind}_export_\\d{8}T\\d{6}\\.zip$`),
          ) as string,
          'set-cookie': 'abc-1=done; Max-Age=600; Path=/; SameSite=Lax',
        },
      ])
    },
  )

  it('API-091: the forms of older releases lead to the list, import the file, and lead to the export', async () => {
    const path = '/superset/import_dashboards/'
    const locate = async (...call: Parameters<typeof send>) => {
      const { statusCode, headers } = await send(...call)
      return [statusCode, headers['location']]
    }
    expect(await locate('GET', path)).toEqual([302, '/dashboard/list/'])
    const title = {
      ...dashboard,
      files: edit(dashboard, 'dashboards/', (board) => ({ ...board, dashboard_title: 'Sent by form' })).files,
    }
    expect(await locate('POST', path, { file: await pack(title) })).toEqual([302, '/dashboard/list/'])
    const listTitles = () => lab.server.deps.db.selectFrom('dashboard').select(['id', 'dashboard_title']).execute()
    const found = await listTitles()
    expect(found).toEqual([{ id: expect.any(Number) as number, dashboard_title: 'Sent by form' }])
    const refused = await send('POST', path, { file: await pack(savedQuery) })
    expect([refused.statusCode, refused.json()]).toMatchObject([
      422,
      { errors: [{ message: 'Error importing dashboard' }] },
    ])
    expect((await send('POST', path, {})).statusCode).toBe(400)
    for (const method of ['GET', 'POST'])
      expect(
        await locate(method, path, method === 'POST' ? { file: await pack(dashboard) } : undefined, 'gamma'),
      ).toEqual([302, `/login/?next=${path}`])
    expect(await listTitles()).toEqual([{ id: expect.any(Number) as number, dashboard_title: 'Sent by form' }])

    const form = '/dashboard/export_dashboards_form'
    expect(await locate('GET', form)).toEqual([302, '/dashboard/list/'])
    const [, address] = await locate('GET', `${form}?id=${found[0]!.id}&id=${found[0]!.id}&action=go`)
    expect(address).toBe(`/api/v1/dashboard/export/?q=!(${found[0]!.id},${found[0]!.id})`)
    expect((await send('GET', String(address))).headers['content-type']).toBe('application/zip')
    expect((await send('GET', `${form}?id=1)&id=x`)).statusCode).toBe(400)
  })

  it('differs in every case listed in differences.json', () => {
    const listed = readKnownDifferences().filter((one) => one.file === file)
    expect(listed.filter(({ name }) => !differing.has(String(name)))).toEqual([])
  })
})
