import type { ImportedObject } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'

const boot = document.createElement('script')
boot.id = 'boot'
boot.type = 'application/json'
boot.textContent = JSON.stringify({
  user: {
    isActive: true,
    isAnonymous: false,
    roles: {
      Editor: [
        ['can_write', 'Dashboard'],
        ['can_write', 'Database'],
        ['can_write', 'Theme'],
        ['can_write', 'SavedQuery'],
      ],
    },
    permissions: {},
  },
  common: { conf: {}, locale: 'en', feature_flags: {}, menu_data: { menu: [] }, flash_messages: [] },
})
document.head.append(boot)
const { ImportFile } = await import('./ImportFile.tsx')

/** Calls to the server; the test sends their answers. */
let calls: { form: FormData; signal: AbortSignal | null; send(...lines: object[]): void; end(): void }[] = []
beforeEach(() => {
  calls = []
  vi.spyOn(globalThis, 'fetch').mockImplementation((_url, init) => {
    const encoder = new TextEncoder()
    let controller: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (given) => void (controller = given) })
    init?.signal?.addEventListener('abort', () => controller?.error(new DOMException('Aborted', 'AbortError')))
    calls.push({
      form: init?.body as FormData,
      signal: init?.signal ?? null,
      send: (...lines) => {
        for (const line of lines) controller?.enqueue(encoder.encode(`${JSON.stringify(line)}\n`))
      },
      end: () => controller?.close(),
    })
    return Promise.resolve(new Response(body, { headers: { 'Content-Type': 'application/x-ndjson' } }))
  })
})
afterEach(() => vi.mocked(globalThis.fetch).mockRestore())

const answerLast = async (n: number, status: number, body: object): Promise<void> => {
  await vi.waitFor(() => expect(calls).toHaveLength(n))
  calls.at(-1)?.send({ end: { status, body } })
  calls.at(-1)?.end()
}
const answer = (n: number, objects: ImportedObject[]) =>
  answerLast(n, 200, { message: 'OK', parquetry: { type: 'SavedQuery', objects } })
const refuse = (n: number, extra: object) =>
  answerLast(n, 422, {
    errors: [{ message: 'Error importing saved_queries', error_type: 'x', level: 'warning', extra }],
  })

const object = (
  kind: ImportedObject['kind'],
  name: string,
  state: ImportedObject['state'],
  more: Partial<ImportedObject> = {},
): ImportedObject => ({
  path: `${kind}/${name}.yaml`,
  kind,
  uuid: name,
  name,
  id: state === 'new' ? null : 7,
  state,
  ...more,
})

const lab = object('database', 'Lab', 'new', {
  secrets: ['passwords', 'ssh_tunnel_passwords', 'ssh_tunnel_private_keys', 'ssh_tunnel_private_key_passwords'],
})
const oats = object('saved_query', 'Oats', 'new')
const barley = object('saved_query', 'Barley', 'changed', {
  differences: [{ of: 'field', how: 'changed', what: 'label', before: 'Rye', after: 'Barley' }],
})

const onTheList = () =>
  show(
    <QueryClientProvider client={new QueryClient()}>
      <ImportFile list="saved_query" file={new File(['not read here'], 'seeds.zip')} />
    </QueryClientProvider>,
  )
const item = (name: string | RegExp) => page.getByRole('treeitem', { name })
const box = (name: string) => page.getByRole('checkbox', { name, exact: true })
const alerts = (text: RegExp) =>
  expect.poll(() => page.getByRole('dialog').getByRole('alert').query()?.textContent).toMatch(text)
const run = page.getByRole('button', { name: /^Import \d/ })

it('shows what an import would do, and imports only what is chosen', async () => {
  await onTheList()
  const rye = object('database', 'Rye', 'same', { unsupported: true })
  await answer(1, [rye, oats, barley, object('saved_query', 'Wheat', 'same'), object('dataset', 'Fields', 'kept')])
  expect(calls[0]?.form.get('preview')).toBe('true')
  expect([calls[0]?.form.has('only'), calls[0]?.form.has('overwrite')]).toEqual([false, false])
  await expect.element(item(/^Saved queries/)).toHaveAccessibleName(/1 new, 1 changed, 1 same/)
  await expect.element(item(/^Fields/)).toHaveAccessibleName(/Left as it is/)
  await expect.element(page.getByText(/^Objects that are left as they are exist here already\./)).toBeVisible()
  expect(page.getByText(/^Overwrite all/).query()).toBeNull()
  // The database is here and not imported.
  expect(page.getByText(/cannot be connected/).query()).toBeNull()
  expect([
    box('Import Oats').query()?.getAttribute('aria-label'),
    box('Import Wheat').query(),
    box('Import Fields').query(),
  ]).toEqual(['Import Oats', null, null])
  await expect.element(box('Import Oats')).toBeChecked()
  await expect.element(box('Overwrite Barley')).not.toBeChecked()
  await item(/^Barley/).click()
  await expect.element(item('Label: Rye → Barley')).toBeVisible()

  await expect.element(run).toHaveTextContent('Import 1 object')
  await box('Overwrite Barley').click()
  await box('Import Oats').click()
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(calls[1]?.form.has('preview')).toBe(false)
  expect(JSON.parse(String(calls[1]?.form.get('only')))).toEqual(['saved_query/Barley.yaml'])
  await answer(2, [{ ...barley, id: 4 }, object('saved_query', 'Wheat', 'same')])
  await expect.element(page.getByRole('dialog', { name: 'Imported seeds.zip' })).toBeVisible()
  await expect.element(page.getByText('Overwritten: 1 saved query')).toBeVisible()
  await expect.element(page.getByText('Left as they are: 1 saved query')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: 'Barley', exact: true }))
    .toHaveAttribute('href', '/superset/sqllab/?savedQueryId=4')
})

it('LIST-019 to LIST-022, LIST-032: asks for missing secrets once per database, and keeps them when the import fails', async () => {
  await onTheList()
  await answer(1, [lab, oats])
  const texts = {
    'Password for Lab': 'p',
    'SSH tunnel password for Lab': 't',
    'SSH tunnel private key for Lab': 'k',
    'Private key password for Lab': 'kp',
  }
  await expect.element(run).toHaveAttribute('aria-disabled', 'true')
  for (const [label, secret] of Object.entries(texts)) await page.getByLabelText(new RegExp(`^${label}`)).fill(secret)
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  const sent = ['passwords', 'ssh_tunnel_passwords', 'ssh_tunnel_private_keys', 'ssh_tunnel_private_key_passwords']
  expect(sent.map((field) => JSON.parse(String(calls[1]?.form.get(field))) as object)).toEqual(
    ['p', 't', 'k', 'kp'].map((secret) => ({ [lab.path]: secret })),
  )
  await refuse(2, { 'saved_query/Oats.yaml': { sql: ['Line 3: a text is expected.'] } })
  await alerts(/An error occurred while importing saved query: Error importing saved_queries/)
  await alerts(/saved_query\/Oats\.yaml sql: Line 3: a text is expected\./)
  await alerts(/Please re-export your file and try importing again/)
  for (const [label, secret] of Object.entries(texts))
    await expect.element(page.getByLabelText(new RegExp(`^${label}`))).toHaveValue(secret)

  // Without the database, its secrets are neither asked for nor sent.
  await box('Import Lab').click()
  await expect.element(page.getByLabelText(/^Password for Lab/)).not.toBeInTheDocument()
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(3))
  expect(sent.map((field) => calls[2]?.form.has(field))).toEqual([false, false, false, false])
})

it('LIST-019: asks for a secret that only the import itself missed', async () => {
  await onTheList()
  await answer(1, [{ ...lab, secrets: [] }])
  await run.click()
  await refuse(2, { [lab.path]: { _schema: ['Must provide a password for the database'] } })
  await page.getByLabelText(/^Password for Lab/).fill('p')
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(3))
  expect(JSON.parse(String(calls[2]?.form.get('passwords')))).toEqual({ [lab.path]: 'p' })
})

it('shows before the import which objects cannot be imported, and leaves them out with those that need them', async () => {
  await onTheList()
  const fields = object('dataset', 'Fields', 'new', { problems: ['You do not have permission to add datasets.'] })
  const yields = object('chart', 'Yields', 'new', { needs: [fields.path] })
  const rows = object('chart', 'Rows', 'new')
  const farm = object('dashboard', 'Farm', 'new', { needs: [yields.path, rows.path] })
  const board = object('dashboard', 'Board', 'new', { needs: [yields.path] })
  await answer(1, [fields, yields, rows, farm, board])
  await expect.element(item('You do not have permission to add datasets.')).toBeVisible()
  await expect
    .element(page.getByText(/^1 object cannot be imported\. .* 2 objects are left out because they need what is not/))
    .toBeVisible()
  await expect.element(item(/^Yields/)).toHaveAccessibleName(/needs Fields, which is not imported.*Cannot be imported/)
  await expect.element(item(/^Board/)).toHaveAccessibleName(/needs Yields, which is not imported.*Cannot be imported/)
  await expect.element(item(/^Charts/)).toHaveAccessibleName(/1 cannot be imported, 1 new/)
  await expect.element(item(/^Farm/)).toHaveAccessibleName(/without 1 of its 2 charts/)
  for (const name of ['Fields', 'Yields', 'Board']) await expect.element(box(`Import ${name}`)).not.toBeInTheDocument()
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(JSON.parse(String(calls[1]?.form.get('only')))).toEqual([rows.path, farm.path])
})

it('LIST-019: shows what needs a missing secret, and leaves it out together with its database', async () => {
  await onTheList()
  const barn = object('database', 'Barn', 'new', { secrets: ['passwords'] })
  const fields = object('dataset', 'Fields', 'new', { needs: [barn.path] })
  const yields = object('chart', 'Yields', 'new', { needs: [fields.path] })
  const farm = object('dashboard', 'Farm', 'new', { needs: [yields.path] })
  await answer(1, [barn, fields, yields, farm, oats])
  await expect.element(page.getByText(/^3 objects need Barn\./)).toBeVisible()
  await expect.element(item(/^Barn/)).toHaveAccessibleName(/Needs a password/)
  for (const name of ['Fields', 'Yields', 'Farm'])
    await expect.element(item(new RegExp(`^${name}`))).toHaveAccessibleName(/needs Barn/)
  await page.getByLabelText(/^Password for Barn/).fill('p')
  await expect.element(item(/^Yields/)).not.toHaveAccessibleName(/needs Barn/)
  await expect.element(item(/^Barn/)).toHaveAccessibleName(/New/)

  await box('Import Barn').click()
  await expect.element(run).toHaveTextContent('Import 1 object')
  await expect.element(page.getByText('3 more objects are not imported, because they need Barn.')).toBeVisible()
  await box('Import Farm').click()
  await expect.element(run).toHaveTextContent('Import 5 objects')
  await expect.element(page.getByText('3 more objects are imported, because Farm needs them.')).toBeVisible()
  await expect.element(page.getByLabelText(/^Password for Barn/)).toHaveValue('p')
})

it('tells what a check box carries along without moving its row', async () => {
  await onTheList()
  const fields = object('dataset', 'Fields', 'new')
  const yields = object('chart', 'Yields', 'new', { needs: [fields.path] })
  await answer(1, [fields, yields])
  const topOf = () =>
    item(/^Fields/)
      .element()
      .getBoundingClientRect().top
  await expect.element(item(/^Fields/)).toBeVisible()
  const before = topOf()
  await box('Import Fields').click()
  await expect.element(page.getByText('1 more object is not imported, because it needs Fields.')).toBeVisible()
  expect(topOf()).toBe(before)
})

it('shows which databases cannot be connected here, before and after the import', async () => {
  await onTheList()
  const old = object('database', 'Old', 'new', { unsupported: true, notes: ['Parquetry cannot connect to Rye.'] })
  await answer(1, [old, oats])
  await expect.element(item('Parquetry cannot connect to Rye.')).toBeVisible()
  await expect.element(item(/^Old/)).toHaveAccessibleName(/Cannot be connected/)
  await expect.element(page.getByText(/^1 database is of a type that cannot be connected here\./)).toBeVisible()
  await run.click()
  await answer(2, [
    { ...old, id: 3 },
    { ...oats, id: 4 },
  ])
  await expect
    .element(page.getByRole('link', { name: 'Change the connection' }))
    .toHaveAttribute('href', '/databaseview/list/?edit=3')
  await expect.element(page.getByRole('link', { name: 'Open Oats' })).toBeVisible()
})

it('shows how long texts differ, by lines', async () => {
  await onTheList()
  const long = { before: 'SELECT a\nFROM t', after: 'SELECT a, b\nFROM t' }
  await answer(1, [{ ...barley, differences: [{ of: 'field', how: 'changed', what: 'sql', long }] }])
  await item(/^Barley/).click()
  await expect.element(page.getByText('− SELECT a', { exact: true })).toBeVisible()
  await expect.element(page.getByText('+ SELECT a, b', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Copy the imported text' })).toBeVisible()
})

it('LIST-023: overwrites nothing that was new in the preview and exists by now', async () => {
  await onTheList()
  const wheat = object('saved_query', 'Wheat', 'new')
  await answer(1, [oats, wheat, barley])
  await box('Overwrite Barley').click()
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(JSON.parse(String(calls[1]?.form.get('only_new')))).toEqual([oats.path, wheat.path])
  await refuse(2, { [oats.path]: 'Saved_Queries already exists and `overwrite=true` was not passed' })
  await alerts(/It was imported or created by someone else in the meantime/)
  await page.getByRole('button', { name: 'Compare again' }).click()
  await answer(3, [{ ...oats, state: 'changed', id: 9, differences: [] }, wheat, barley])
  await expect.element(box('Overwrite Oats')).not.toBeChecked()
  await expect.element(box('Overwrite Barley')).toBeChecked()
  await expect.element(box('Import Wheat')).toBeChecked()
})

it('LIST-032: says why a file cannot be read, by file', async () => {
  await onTheList()
  await refuse(1, { 'charts/a.yaml': 'Line 7: the indentation is wrong.' })
  await alerts(/charts\/a\.yaml Line 7: the indentation is wrong\./)
  await expect.element(run).not.toBeInTheDocument()
})

it('shows progress, and what is there after an import was cancelled', async () => {
  await onTheList()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  calls[0]?.send({ progress: { step: 'checking', done: 250, total: 1000 } })
  await expect.element(page.getByText('250 of 1,000')).toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Comparing with what is here' }))
    .toHaveAttribute('aria-valuenow', '25')
  await answer(1, [oats])
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  calls[1]?.send({ progress: { step: 'writing', done: 1, total: 2 } })
  await expect.element(page.getByRole('progressbar', { name: 'Importing' })).toBeVisible()
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(calls[1]?.signal?.aborted).toBe(true)
  await answer(3, [oats])
  expect(calls[2]?.form.get('preview')).toBe('true')
  await expect.element(page.getByText('The import was cancelled. This is what an import would do now.')).toBeVisible()
})

it('keeps an import with entered secrets, or that runs, when another file is dropped', async () => {
  const { isImportBusy } = await import('../shared/import.ts')
  await onTheList()
  await answer(1, [{ ...lab, secrets: ['passwords'] }, oats])
  await expect.element(item(/^Oats/)).toBeVisible()
  expect(isImportBusy()).toBe(false)
  await page.getByLabelText(/^Password for Lab/).fill('p')
  await vi.waitFor(() => expect(isImportBusy()).toBe(true))
  await run.click()
  await vi.waitFor(() => expect(calls).toHaveLength(2))
  expect(isImportBusy()).toBe(true)
  await answer(2, [{ ...oats, id: 4 }])
  await expect.element(page.getByRole('link', { name: 'Open Oats' })).toBeVisible()
  expect(isImportBusy()).toBe(false)
})

it('says when the connection was lost before the answer, and can try again', async () => {
  await onTheList()
  await vi.waitFor(() => expect(calls).toHaveLength(1))
  calls[0]?.send({ progress: { step: 'reading', done: 1, total: 2 } })
  calls[0]?.end()
  await alerts(/The connection was lost before the server had answered\.(?!Please)/)
  await page.getByRole('button', { name: 'Try again' }).click()
  await answer(2, [oats])
  await expect.element(item(/^Oats/)).toBeVisible()
})

it('works by keyboard: arrows move and open, Space checks, Esc asks before it discards', async () => {
  await onTheList()
  await answer(1, [oats, barley])
  const tree = page.getByRole('tree')
  await expect.element(tree).toBeVisible()
  ;(tree.element() as HTMLElement).focus()
  const current = () => document.getElementById(tree.element().getAttribute('aria-activedescendant') ?? '')?.textContent
  await userEvent.keyboard('{ArrowDown}{ArrowRight}')
  expect(current()).toMatch(/^Barley/)
  await userEvent.keyboard('{ArrowRight}')
  expect(current()).toBe('Label: Rye → Barley')
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft} ')
  await expect.element(item(/^Barley/)).toHaveAttribute('aria-expanded', 'false')
  await expect.element(box('Overwrite Barley')).toBeChecked()
  await userEvent.keyboard('{End}')
  expect(current()).toMatch(/^Oats/)
  await userEvent.keyboard(' {Home}{ArrowLeft}')
  await expect.element(item(/^Saved queries/)).toHaveAttribute('aria-expanded', 'false')
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByText('Your changes are not saved. Close again to discard them.')).toBeVisible()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('progressbar')).toBeVisible()
  expect(page.getByRole('dialog').element().contains(document.activeElement)).toBe(true)
  await answer(2, [{ ...barley, id: 4 }, object('dashboard', 'Farm', 'same')])
  // The dashboard of the bundle comes first, also where it needed no change.
  await expect.element(page.getByRole('link', { name: 'Open Farm' })).toHaveFocus()
  await expect.element(page.getByText('Not what you wanted?')).not.toBeInTheDocument()
})

it('stays usable with 10,000 objects', async () => {
  await onTheList()
  const many = Array.from({ length: 10_000 }, (_, n) => object('saved_query', `Query ${n}`, n % 2 ? 'changed' : 'new'))
  await answer(1, many)
  await expect.element(run).toHaveTextContent('Import 5,000 objects')
  expect(item(/./).elements().length).toBeLessThan(110)
  await box('Overwrite all 5,000').click()
  await expect.element(run).toHaveTextContent('Import 10,000 objects')
  await box('Import all new Saved queries').click()
  await expect.element(run).toHaveTextContent('Import 5,000 objects')
  await item('Show more (9,900 hidden)').click()
  await expect.element(item('Show more (9,800 hidden)')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search the bundle' }).fill('query 999')
  await vi.waitFor(() => expect(item(/^Query/).elements()).toHaveLength(11))
  // The check box of a group is for what is shown.
  await box('Import all new Saved queries').click()
  await page.getByRole('searchbox', { name: 'Search the bundle' }).fill('')
  await expect.element(run).toHaveTextContent('Import 5,005 objects')
})

it('LIST-007: tells who may not import this kind', async () => {
  await show(
    <QueryClientProvider client={new QueryClient()}>
      <ImportFile list="css_template" file={new File(['x'], 'styles.zip')} />
    </QueryClientProvider>,
  )
  await alerts(/You don’t have permission to import a CSS template\./)
  expect(calls).toHaveLength(0)
})
