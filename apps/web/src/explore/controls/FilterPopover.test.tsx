import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { boot } from '../../shared/boot.ts'
import type { ExploreDataset } from '../use-explore.ts'
import { FilterPopover } from './FilterPopover.tsx'
import type { AdhocFilter } from './filters.ts'
import { typeInstantly } from './type-instantly.testing.ts'
import { showControl } from './with-queries.testing.tsx'

const dataset = {
  id: 4,
  type: 'table',
  database: { id: 2, name: 'lake', backend: 'trino' },
  schema: 'web',
  table_name: 'visits',
  sql: null,
  columns: [
    { column_name: 'ds', type: 'VARCHAR', type_generic: 1, filterable: true },
    { column_name: 'seen', type: 'TIMESTAMP', type_generic: 2, is_dttm: true, filterable: true },
    { column_name: 'bot', type: 'BOOLEAN', type_generic: 3, filterable: true },
    { column_name: 'port', type: 'INTEGER', type_generic: 0, filterable: true, advanced_data_type: 'port' },
  ],
  metrics: [{ metric_name: 'people', expression: 'COUNT(DISTINCT person)' }],
  verbose_map: {},
} as unknown as ExploreDataset

const onSave = vi.fn<(filter: AdhocFilter) => void>()
const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined)
let requests: { path: string; at: number }[] = []
let extra: () => Response
let converted: () => Response

/** Mocks a server with partitions and port types. */
beforeEach(() => {
  onSave.mockClear()
  warn.mockClear()
  requests = []
  extra = () => Response.json({ partitions: { cols: ['ds'] } })
  converted = () =>
    Response.json({
      result: { values: [80], display_value: '80', error_message: '', valid_filter_operators: ['EQUALS', 'IN'] },
    })
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const path = decodeURIComponent(String(input instanceof Request ? input.url : input))
    requests.push({ path, at: performance.now() })
    if (path.includes('table_metadata')) return extra()
    if (path.includes('convert')) return converted()
    if (path.includes('time_range'))
      return Response.json({
        result: [{ since: '2026-01-01T00:00:00', until: '2026-01-08T00:00:00', timeRange: 'Last week' }],
      })
    return Response.json({ result: [{ data: [] }] })
  })
})
afterEach(() => {
  vi.mocked(globalThis.fetch).mockRestore()
  delete boot.common.feature_flags['ENABLE_ADVANCED_DATA_TYPES']
})

const open = (filter: AdhocFilter | null = null, of: ExploreDataset = dataset) =>
  showControl(<FilterPopover filter={filter} dataset={of} onSave={onSave} onCancel={() => undefined} />)
const box = (name: string) => page.getByRole('combobox', { name })
const choose = async (name: string, option: string) => {
  await userEvent.click(box(name))
  await userEvent.click(page.getByRole('option', { name: option, exact: false }).first())
}
const readOperators = async () => {
  await userEvent.click(box('Operator'))
  const words = page
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent)
  await userEvent.keyboard('{Escape}')
  return words
}
const save = page.getByRole('button', { name: 'Save' })
const partitions = () => requests.filter(({ path }) => path.includes('table_metadata'))

it('CTRL-066, CTRL-078, CTRL-083: offers the latest partition on its column, without a value, and saves it as SQL', async () => {
  await open()
  await expect.poll(() => partitions().length).toBe(1)
  await choose('Column', 'seen')
  expect(await readOperators()).not.toContain('is the latest partition')
  await choose('Column', 'ds')
  await expect.poll(readOperators).toContain('is the latest partition')
  await choose('Operator', 'is the latest partition')
  await expect.element(page.getByRole('textbox', { name: 'Value' })).toBeDisabled()
  await userEvent.click(save)
  expect(onSave.mock.lastCall?.[0]).toMatchObject({
    expressionType: 'SQL',
    sqlExpression: "ds = '{{ trino.latest_partition('web.visits') }}'",
  })
})

it('offers values from the database unless the dataset disables it, then accepts typed values', async () => {
  const questions = () => requests.filter(({ path }) => path.includes('chart/data')).length
  const shown = await open(null, { ...dataset, filter_select: false })
  await choose('Column', 'ds')
  await userEvent.click(box('Values'))
  await userEvent.keyboard('2026-01-01{Enter}{Escape}')
  await userEvent.click(save)
  expect(onSave.mock.lastCall?.[0]).toMatchObject({ subject: 'ds', comparator: ['2026-01-01'] })
  expect(questions()).toBe(0)
  await shown.unmount()
  await open()
  await choose('Column', 'ds')
  await userEvent.click(box('Values'))
  await expect.poll(questions).toBe(1)
})

it('CTRL-083: disables the value field for operators without a value', async () => {
  await open()
  for (const [column, operator] of [
    ['ds', 'is null'],
    ['ds', 'is not null'],
    ['bot', 'is true'],
    ['bot', 'is false'],
  ] as const) {
    await choose('Column', column)
    await choose('Operator', operator)
    await expect.element(page.getByRole('textbox', { name: 'Value' })).toBeDisabled()
    await expect.element(save).not.toHaveAttribute('aria-disabled', 'true')
  }
})

it('CTRL-091, CTRL-092: requests partitions of tables only, and logs a failure to the console', async () => {
  extra = () => new Response('{}', { status: 500 })
  for (const of of [{ is_sqllab_view: true }, { sql: 'SELECT 1' }, { type: 'query' as const }]) {
    const shown = await open(null, { ...dataset, ...of })
    await choose('Column', 'ds')
    expect(await readOperators()).toContain('is like')
    await shown.unmount()
  }
  expect(partitions()).toEqual([])
  await open()
  await expect.poll(() => warn.mock.calls.length).toBe(1)
  await choose('Column', 'ds')
  expect(await readOperators()).toContain('is like')
  expect(page.getByText(/partition/i).elements()).toEqual([])
})

it('CTRL-067, CTRL-079: edits a time range only in its picker, whatever expression type is stored', async () => {
  const range = { clause: 'WHERE', subject: 'seen', operator: 'TEMPORAL_RANGE', comparator: 'Last week' } as const
  await open({ ...range, expressionType: 'SQL', operatorId: 'TEMPORAL_RANGE', sqlExpression: null })
  await expect.element(page.getByRole('tab', { name: 'Simple' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByRole('textbox', { name: 'Time range' })).toHaveValue('last week')
  await expect.element(page.getByRole('button', { name: 'Choose a range for Time range' })).toBeVisible()
  expect(page.getByRole('textbox').elements()).toHaveLength(1)
  await choose('Operator', 'is null')
  await userEvent.click(save)
  expect(onSave.mock.lastCall?.[0]).toMatchObject({ expressionType: 'SIMPLE', operatorId: 'IS_NULL', comparator: null })
})

it('CTRL-065: a filter on a metric filters groups and reopens in the Simple tab', async () => {
  await open()
  await choose('Column', 'people')
  await choose('Operator', 'is greater than')
  await page.getByRole('spinbutton', { name: 'Value' }).fill('100')
  await userEvent.click(save)
  const [made] = onSave.mock.lastCall!
  expect(made).toMatchObject({ clause: 'HAVING', sqlExpression: 'COUNT(DISTINCT person) > 100' })
  await (await open(null)).unmount()
  await open(made)
  await expect.element(page.getByRole('tab', { name: 'Simple' }).last()).toHaveAttribute('aria-selected', 'true')
})

it('CTRL-063: changing the subject resets the operator to IN and clears the values', async () => {
  await open({
    expressionType: 'SIMPLE',
    clause: 'WHERE',
    subject: 'port',
    operator: '>',
    operatorId: 'GREATER_THAN',
    comparator: 80,
  })
  await choose('Column', 'ds')
  await expect.element(box('Operator')).toHaveValue('is one of')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
})

it('regression: says that negated operators leave out rows without a value', async () => {
  await open()
  const hint = page.getByText('Rows without a value are left out too.')
  await choose('Column', 'ds')
  expect(hint.elements()).toHaveLength(0)
  for (const operator of ['is none of', 'does not contain', 'is not like', 'is not']) {
    await choose('Operator', operator)
    await expect.element(hint).toBeVisible()
  }
  await choose('Operator', 'contains')
  expect(hint.elements()).toHaveLength(0)
  await choose('Column', 'people')
  await choose('Operator', 'is not')
  await expect.element(page.getByText('Groups without a value are left out too.')).toBeVisible()
})

it('CTRL-088, CTRL-089: points to the Custom SQL tab for metrics', async () => {
  await open(null, { ...dataset, metrics: [] })
  await expect.element(page.getByText('To filter on a metric, use Custom SQL tab.')).toBeVisible()
  await box('Column').fill('nothing')
  await expect
    .element(page.getByText('No such column found. To filter on a metric, try the Custom SQL tab.'))
    .toBeVisible()
})

it('CTRL-084, CTRL-086, CTRL-087: converts values of an advanced type 600 ms after the last key and requires them to be valid', async () => {
  boot.common.feature_flags['ENABLE_ADVANCED_DATA_TYPES'] = true
  await open()
  await choose('Column', 'port')
  await expect.poll(readOperators).toEqual(['equals', 'is one of'])
  await choose('Operator', 'equals')
  const value = page.getByRole('textbox', { name: 'Value' })
  converted = () =>
    Response.json({
      result: {
        values: [],
        display_value: '',
        error_message: "'htt' does not appear to be a port",
        valid_filter_operators: ['EQUALS', 'IN'],
      },
    })
  const conversions = () => requests.filter(({ path }) => path.includes('convert'))
  const before = conversions().length
  await expect.element(value).toBeVisible()
  const typed = performance.now()
  typeInstantly(value, 'htt')
  await expect.element(page.getByText("'htt' does not appear to be a port")).toBeVisible()
  const [conversion, ...others] = conversions().slice(before)
  expect(others).toEqual([])
  expect(conversion?.path).toContain('htt')
  expect(conversion!.at - typed).toBeGreaterThan(500)
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
  converted = () =>
    Response.json({
      result: { values: [80], display_value: '80', error_message: '', valid_filter_operators: ['EQUALS', 'IN'] },
    })
  await value.fill('http')
  await expect.element(page.getByText('80', { exact: true })).toBeVisible()
  await userEvent.click(save)
  expect(onSave.mock.lastCall?.[0]).toMatchObject({ subject: 'port', operator: '==', comparator: 'http' })
})

it('CTRL-085: reports that an advanced type could not be retrieved', async () => {
  boot.common.feature_flags['ENABLE_ADVANCED_DATA_TYPES'] = true
  converted = () => new Response('{}', { status: 500 })
  await open()
  await choose('Column', 'port')
  await expect.element(page.getByText('Failed to retrieve advanced type')).toBeVisible()
})

it('regression: a typed number keeps every digit', async () => {
  await open()
  await choose('Column', 'port')
  await choose('Operator', 'equals')
  const value = page.getByRole('spinbutton', { name: 'Value' })
  for (const [typed, comparator] of [
    ['9007199254740995', '9007199254740995'],
    ['0.12345678901234567891', '0.12345678901234567891'],
    ['80.50', 80.5],
  ] as const) {
    await value.fill(typed)
    await userEvent.click(save)
    expect(onSave.mock.lastCall?.[0]).toMatchObject({ subject: 'port', operator: '==', comparator })
  }
  await value.fill('abc')
  await expect.element(save).toHaveAttribute('aria-disabled', 'true')
})

it('regression: offers long numbers, null and blank texts of a column as values of their own', async () => {
  vi.mocked(globalThis.fetch).mockImplementation((input) =>
    Promise.resolve(
      String(input instanceof Request ? input.url : input).includes('chart/data')
        ? new Response('{"result":[{"data":[{"port":9007199254740995},{"port":7},{"port":null}]}]}')
        : Response.json({}),
    ),
  )
  await open()
  await choose('Column', 'port')
  await choose('Operator', 'is one of')
  await userEvent.click(box('Values'))
  for (const name of ['9007199254740995', '7', '∅'])
    await userEvent.click(page.getByRole('option', { name, exact: true }))
  await userEvent.keyboard('{Escape}')
  await userEvent.click(save)
  expect(onSave.mock.lastCall?.[0]).toMatchObject({ operator: 'IN', comparator: ['9007199254740995', 7, null] })
})

it('regression: says that a text is not a number, at the field and at Save', async () => {
  const columns = [{ column_name: 'price', type: 'DECIMAL(8,2)', type_generic: 0, filterable: true }]
  await open(null, { ...dataset, columns } as unknown as ExploreDataset)
  await choose('Column', 'price')
  const field = page.getByRole('spinbutton', { name: 'Value' })
  await field.fill('abc')
  await expect.element(field).toHaveAccessibleDescription('Enter a number')
  await expect.element(save).toHaveAttribute('aria-description', 'Enter a number')
  await field.fill('12.50')
  await expect.element(page.getByText('Enter a number')).not.toBeInTheDocument()
  await expect.element(save).not.toHaveAttribute('aria-disabled', 'true')
})
