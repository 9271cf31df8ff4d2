import type { QueryMetric } from '@parquetry/model'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ExploreDataset } from '../use-explore.ts'
import { MetricPopover } from './MetricPopover.tsx'
import { parseMetric, simpleMetric, sqlMetric } from './metrics.ts'
import { showControl } from './with-queries.testing.tsx'

const delay = { column_name: 'delay', type: 'BIGINT', type_generic: 0 }
const dataset = {
  columns: [delay],
  metrics: [{ metric_name: 'flights' }],
  verbose_map: {},
} as unknown as ExploreDataset
const onSave = vi.fn<(metric: QueryMetric) => void>()
beforeEach(() => void onSave.mockClear())

const save = page.getByRole('button', { name: 'Save' })
const canSave = () => save.element().getAttribute('aria-disabled') !== 'true'
const open = (metric: QueryMetric | null, of: ExploreDataset = dataset) =>
  showControl(<MetricPopover metric={metric} dataset={of} onSave={onSave} onCancel={() => undefined} />)
const tab = (name: string) => userEvent.click(page.getByRole('tab', { name }))
const choose = async (field: string, option: string) => {
  await userEvent.click(page.getByRole('combobox', { name: field }))
  await userEvent.click(page.getByRole('option', { name: option, exact: false }).first())
}
const expression = page.getByRole('textbox', { name: 'SQL expression' })

it('CTRL-046, CTRL-048: a simple metric requires a column and an aggregate, and can be saved once changed', async () => {
  await open(null)
  await tab('Simple')
  expect(canSave()).toBe(false)
  await choose('Column', 'delay')
  expect(canSave()).toBe(false)
  await choose('Aggregate', 'SUM')
  await expect.poll(canSave).toBe(true)
  await userEvent.click(save)
  expect(onSave).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ label: 'SUM(delay)' }))
})

it('CTRL-048: an aggregate without a column cannot be saved', async () => {
  await open(null)
  await tab('Simple')
  await choose('Aggregate', 'SUM')
  expect(canSave()).toBe(false)
})

it('CTRL-046, CTRL-049: a SQL metric requires an expression, and can be saved once changed', async () => {
  await open(sqlMetric('SUM(delay)'))
  expect(canSave()).toBe(false)
  await expression.fill('  ')
  expect(canSave()).toBe(false)
  await expression.fill('SUM(delay) / 60')
  expect(canSave()).toBe(true)
  await expression.fill('SUM(delay)')
  expect(canSave()).toBe(false)
})

it('CTRL-044: a column and an aggregate turn a SQL metric into a simple one', async () => {
  await open(sqlMetric('SUM(delay) / 60'))
  await tab('Simple')
  await choose('Column', 'delay')
  await choose('Aggregate', 'MAX')
  await userEvent.click(save)
  const simple = { expressionType: 'SIMPLE', column: { column_name: 'delay' }, aggregate: 'MAX', sqlExpression: null }
  expect(onSave.mock.lastCall?.[0]).toMatchObject(simple)
})

it('CTRL-044: entering SQL turns a simple metric into a SQL metric', async () => {
  await open(simpleMetric(delay, 'SUM'))
  await tab('Custom SQL')
  await expression.fill('SUM(delay) / 60')
  await userEvent.click(save)
  const sql = { expressionType: 'SQL', column: null, aggregate: null, sqlExpression: 'SUM(delay) / 60' }
  expect(onSave.mock.lastCall?.[0]).toMatchObject(sql)
})

it('CTRL-052, CTRL-053: explains on both tabs that the dataset disallows ad-hoc metrics', async () => {
  await open(null, { ...dataset, extra: '{"disallow_adhoc_metrics":true}' })
  for (const [name, why] of [
    ['Simple', 'Simple ad-hoc metrics are not enabled for this dataset'],
    ['Custom SQL', 'Custom SQL ad-hoc metrics are not enabled for this dataset'],
  ] as const) {
    const other = page.getByRole('tab', { name })
    expect([other.element().getAttribute('aria-disabled'), other.element().getAttribute('title')]).toEqual([
      'true',
      why,
    ])
    ;(other.element() as HTMLElement).click()
    await expect.element(page.getByRole('tab', { name: 'Saved' })).toHaveAttribute('aria-selected', 'true')
  }
})

it('CTRL-050: parses an aggregate as typed by users and as written by older releases', () => {
  const read = (text: string) => parseMetric(text, dataset)
  for (const text of ['SUM(delay)', 'sum( "delay" )', 'LONGSUM(delay)', 'DOUBLESUM(delay)', 'FLOATSUM(delay)', 'delay'])
    expect(read(text), text).toMatchObject({
      expressionType: 'SIMPLE',
      aggregate: 'SUM',
      column: { column_name: 'delay' },
    })
  for (const aggregate of ['AVG', 'MAX', 'MIN', 'COUNT'])
    expect(read(`${aggregate}(delay)`)).toMatchObject({ aggregate })
  expect(read('flights')).toBe('flights')
  for (const text of ['MEDIAN(delay)', 'SUM(delay) / 60', 'SUM(gone)', 'gone']) expect(read(text), text).toBeUndefined()
})

it('completes columns in SQL: arrow keys move, Enter accepts without submitting the form', async () => {
  await open(sqlMetric('SUM('), {
    ...dataset,
    columns: [delay, { ...delay, column_name: 'Arrival delay' }, { ...delay, column_name: 'distance' }],
  } as unknown as ExploreDataset)
  await userEvent.click(expression)
  await userEvent.keyboard('del')
  const words = () =>
    page
      .getByRole('option')
      .elements()
      .map((each) => each.querySelector('span')?.textContent)
  expect(words()).toEqual(['delay', 'Arrival delay'])
  await userEvent.keyboard('{ArrowDown}{Enter}')
  await expect.element(expression).toHaveValue('SUM("Arrival delay"')
  await userEvent.keyboard(') / 60')
  await expect.element(expression).toHaveValue('SUM("Arrival delay") / 60')
  expect(onSave).not.toHaveBeenCalled()
})

it('shows a database error below the SQL and prevents saving', async () => {
  const requests: object[] = []
  const server = vi.spyOn(globalThis, 'fetch').mockImplementation(async (_, { body } = {}) => {
    const sent = JSON.parse(String(body)) as { expression: string }
    requests.push(sent)
    const isGone = sent.expression.includes('gone')
    const fault = { line_number: 1, start_column: 5, end_column: 9, message: 'There is no column gone' }
    return Response.json({ result: isGone ? [fault] : [] })
  })
  await open(sqlMetric('SUM(delay)'), { ...dataset, id: 3, type: 'table' } as ExploreDataset)
  await expression.fill('SUM(gone)')
  await expect.element(page.getByText('There is no column gone')).toBeVisible()
  expect(document.querySelector('mark')?.textContent).toBe('gone')
  expect(canSave()).toBe(false)
  await expression.fill('SUM(delay) / 2')
  await expect.poll(canSave).toBe(true)
  await expect.poll(() => requests.at(-1)).toEqual({ expression: 'SUM(delay) / 2', expression_type: 'metric' })
  await expect.element(page.getByText('There is no column gone')).not.toBeInTheDocument()
  expect(document.querySelector('mark')).toBeNull()
  server.mockRestore()
})

it('regression: a statistic of a column is saved as SQL that other tools run, and opens in the Simple tab again', async () => {
  const of = { ...dataset, database: { backend: 'postgresql' } } as unknown as ExploreDataset
  const view = await open(null, of)
  await tab('Simple')
  await choose('Column', 'delay')
  await choose('Aggregate', 'PERCENTILE')
  await page.getByRole('spinbutton', { name: 'Percent' }).fill('99.9')
  await userEvent.click(save)
  const metric = onSave.mock.lastCall![0]
  expect(metric).toMatchObject({
    expressionType: 'SQL',
    sqlExpression: 'PERCENTILE_CONT(0.999) WITHIN GROUP (ORDER BY "delay")',
    label: 'P99.9(delay)',
    hasCustomLabel: true,
  })
  await view.unmount()
  await open(metric, of)
  await expect.element(page.getByRole('tab', { name: 'Simple' })).toHaveAttribute('aria-selected', 'true')
  await expect.element(page.getByRole('spinbutton', { name: 'Percent' })).toHaveValue('99.9')
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveValue('')
  expect(canSave()).toBe(false)
  await choose('Aggregate', 'SUM')
  await userEvent.click(save)
  expect(onSave.mock.lastCall![0]).toMatchObject({ expressionType: 'SIMPLE', aggregate: 'SUM', label: 'SUM(delay)' })
})

it('regression: offers the statistics that the engine computes', async () => {
  await open(null, { ...dataset, database: { backend: 'mysql' } } as unknown as ExploreDataset)
  await tab('Simple')
  await choose('Column', 'delay')
  await userEvent.click(page.getByRole('combobox', { name: 'Aggregate' }))
  const offered = page
    .getByRole('option')
    .elements()
    .map(({ textContent }) => textContent)
  expect(offered).toEqual(['AVG', 'COUNT', 'COUNT_DISTINCT', 'MAX', 'MIN', 'SUM', 'STDDEV', 'VARIANCE'])
})

it('regression: shows what an expression gives before it is saved, or the error of the database', async () => {
  const answers = [
    () => Response.json({ result: [{ data: [{ value: 42.5 }], coltypes: [0] }] }),
    () =>
      Response.json(
        { errors: [{ message: 'duckdb error: Could not convert string', error_type: 'X' }] },
        { status: 400 },
      ),
  ]
  const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const url = String(input instanceof Request ? input.url : input)
    return url.includes('chart/data') ? answers.shift()!() : Response.json({ result: [] })
  })
  await open(sqlMetric('AVG(delay)'))
  const preview = page.getByRole('button', { name: 'Preview' })
  await userEvent.click(preview)
  await expect.element(page.getByRole('status').getByText('42.5')).toBeVisible()
  await expression.fill("SUM(CAST('x' AS INT))")
  await expect.element(page.getByText('42.5')).not.toBeInTheDocument()
  await userEvent.click(preview)
  await expect.element(page.getByRole('alert').filter({ hasText: 'Could not convert string' })).toBeVisible()
  fetched.mockRestore()
})
