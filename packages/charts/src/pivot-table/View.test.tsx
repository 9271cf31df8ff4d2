import { buildFrame, type Frame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { ChartForm } from '../define.ts'
import { ChartHost, type Mark } from '../views/index.tsx'

const sales = buildFrame({
  region: ['East', 'East', 'East', 'West', 'West'],
  city: ['Ulm', 'Jena', 'Jena', 'Bonn', 'Köln'],
  year: [2024, 2024, 2025, 2024, 2025],
  m: [10, 4, 6, 1, 9],
})
const both = { groupbyRows: ['region', 'city'], groupbyColumns: ['year'], metrics: ['m'] }

async function shown(frame: Frame, form: ChartForm, size = { width: 700, height: 400 }) {
  const marks: Mark[] = []
  await show(
    <div style={size}>
      <ChartHost
        form={{ viz_type: 'pivot_table_v2', ...form }}
        frames={{ cells: frame }}
        title="Sales"
        onMark={(mark) => marks.push(mark)}
      />
    </div>,
  )
  const grid = page.getByRole('grid')
  await expect.element(grid).toBeVisible()
  return { grid, marks }
}
const rows = () =>
  page
    .getByRole('row')
    .elements()
    .map((row) => row.textContent)
const findToggle = (group: string) =>
  [...document.querySelectorAll<HTMLElement>('[role=grid] button')].find(
    (each) => each.parentElement?.textContent === group,
  )
const rowHeading = (name: string) => page.getByRole('rowheader', { name, exact: true })

it('is a grid with row and column headings that announces its size', async () => {
  const { grid } = await shown(sales, { ...both, colTotals: true })
  expect(grid.element().getAttribute('aria-label')).toBe('Sales: 5 rows, 2 columns')
  expect(grid.element().getAttribute('aria-rowcount')).toBe('7')
  expect(page.getByRole('columnheader', { name: '2025' }).element().getAttribute('aria-colindex')).toBe('4')
  expect(rowHeading('East').first().element().getAttribute('aria-expanded')).toBe('true')
  expect(rowHeading('Jena').element().hasAttribute('aria-expanded')).toBe(false)
})

it('C062: values that look like HTML are text in headings', async () => {
  const values = ['<b>bold</b>', '<img src=x onerror=alert(1)>', '<a href="https://example.org">ok</a>', '<3']
  const { grid } = await shown(buildFrame({ region: values, city: values, m: [1, 2, 3, 4] }), {
    groupbyRows: ['region'],
    groupbyColumns: ['city'],
    metrics: ['m'],
  })
  for (const value of values) await expect.element(rowHeading(value)).toBeVisible()
  const heads = () =>
    page
      .getByRole('columnheader')
      .elements()
      .map(({ textContent }) => textContent)
  expect(heads()).toEqual(expect.arrayContaining(values))
  expect(grid.element().querySelector('img, b, a')).toBeNull()
})

it('collapses a group by pointer and by space bar', async () => {
  const { grid } = await shown(sales, both)
  await expect.poll(rows).toHaveLength(6)
  findToggle('East')?.click()
  await expect.poll(rows).toHaveLength(5)
  expect(rowHeading('East').element().getAttribute('aria-expanded')).toBe('false')
  expect(rows().some((row) => row?.includes('Subtotal') && row.includes('14'))).toBe(true)
  ;(grid.element() as HTMLElement).focus()
  await userEvent.keyboard(' ')
  await expect.poll(rows).toHaveLength(6)
  // The heading of a level collapses all of its groups.
  await userEvent.keyboard('{ArrowUp} ')
  await expect.poll(rows).toHaveLength(4)
})

it('collapses a group of columns, and moves from group to group along the column headings', async () => {
  const form = { groupbyRows: ['city'], groupbyColumns: ['region', 'year'], metrics: ['m'], combineMetric: true }
  const { grid } = await shown(sales, form)
  const count = () => page.getByRole('grid').element().getAttribute('aria-colcount')
  expect(count()).toBe('5')
  ;(grid.element() as HTMLElement).focus()
  await userEvent.keyboard('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowRight}{ArrowRight}')
  const active = () => document.getElementById(grid.element().getAttribute('aria-activedescendant') ?? '')?.textContent
  expect(active()).toBe('West')
  await userEvent.keyboard(' ')
  await expect.poll(count).toBe('4')
  expect(active()).toBe('West')
})

it('cells and headings are marks; the grand total is not', async () => {
  const { marks } = await shown(sales, { ...both, colTotals: true, rowTotals: true })
  await page.getByRole('gridcell', { name: '9', exact: true }).first().click()
  await page.getByRole('columnheader', { name: '2024' }).click()
  await rowHeading('Ulm').click()
  await page.getByRole('gridcell', { name: '30', exact: true }).click()
  expect(marks.map(({ key }) => key)).toEqual([
    { region: 'West', city: 'Köln', year: 2025 },
    { year: 2024 },
    { region: 'East', city: 'Ulm' },
  ])
})

it('renders only the visible part of a hundred thousand cells and keeps the headings visible', async () => {
  const [down, across] = [1000, 100]
  const cells = Array.from({ length: down * across }, (_, index) => index)
  const frame = buildFrame({
    group: cells.map((index) => `group ${Math.floor(index / across / 100)}`),
    row: cells.map((index) => `row ${Math.floor(index / across)}`),
    column: cells.map((index) => index % across),
    m: cells,
  })
  const form = { groupbyRows: ['group', 'row'], groupbyColumns: ['column'], metrics: ['m'], valueFormat: '~f' }
  const { grid } = await shown(frame, form)
  expect(grid.element().getAttribute('aria-rowcount')).toBe('1002')
  const drawn = () => document.querySelectorAll('[role=gridcell]').length
  expect(drawn()).toBeLessThan(1000)
  ;(grid.element() as HTMLElement).focus()
  await userEvent.keyboard('{Control>}{End}{/Control}')
  await userEvent.keyboard('{Control>}{ArrowRight}{/Control}')
  await expect.element(page.getByRole('gridcell', { name: '99999', exact: true })).toBeVisible()
  expect(drawn()).toBeLessThan(1000)
  const box = (text: string) =>
    [...document.querySelectorAll('[role=grid] span:not(.visually-hidden, :has(*))')]
      .find((each) => each.textContent === text)
      ?.getBoundingClientRect()
  const own = grid.element().getBoundingClientRect()
  await expect.poll(() => box('group 9')?.top).toBeGreaterThan(own.top)
  expect(box('group 9')!.top).toBeLessThan(own.bottom)
  expect(box('m')!.top - own.top).toBeLessThan(28)
  expect(box('row 999')!.left).toBeGreaterThanOrEqual(own.left)
})

it('shows a note about its totals below the table', async () => {
  const avg = { expressionType: 'SIMPLE', aggregate: 'AVG', column: { column_name: 'x' }, label: 'm' }
  await shown(sales, { ...both, metrics: [avg], rowTotals: true })
  await expect
    .element(page.getByText('Totals of m are calculated from the values shown (Sum), not from the underlying data.'))
    .toBeVisible()
})
