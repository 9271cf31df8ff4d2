import { type DatasetFacts } from '@parquetry/charts'
import { galleryEntries, type GalleryEntry } from '@parquetry/charts/gallery'
import { show } from '@parquetry/ui/show.testing.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { sortByPopularity, listAvailableCharts } from './find-charts.ts'
import { Gallery } from './Gallery.tsx'

const availableCharts = listAvailableCharts(galleryEntries, [], 'table')
const sales: DatasetFacts = {
  columns: [
    { column_name: 'day', is_dttm: true, type_generic: 2 },
    { column_name: 'shop', type_generic: 1 },
    { column_name: 'town', type_generic: 1 },
    { column_name: 'amount', type_generic: 0 },
    { column_name: 'cost', type_generic: 0 },
  ],
}

const onSelect = vi.fn<(viz_type: string) => void>()
const open = (dataset = sales, charts: readonly GalleryEntry[] = availableCharts) =>
  show(<Gallery onClose={() => undefined} charts={charts} dataset={dataset} value="table" onSelect={onSelect} />)
beforeEach(async () => {
  onSelect.mockClear()
  await page.viewport(1280, 900)
})

const dialog = page.getByRole('dialog', { name: 'Select a visualization type' })
const sections = dialog.getByRole('navigation', { name: 'Sections' })
const section = (name: string) => sections.getByRole('button', { name, exact: true }).first()
const types = dialog.getByRole('group', { name: 'Chart types' }).getByRole('button')
const type = (name: string) => types.filter({ has: page.getByText(name, { exact: true }) })
const shown = () => types.elements().map((element) => element.querySelector('span')?.textContent)
const select = dialog.getByRole('button', { name: 'Select', exact: true })
const search = dialog.getByRole('textbox', { name: 'Search all charts' })
const details = dialog.getByRole('complementary')

const inKpi = sortByPopularity(availableCharts)
  .filter(({ category }) => category === 'KPI')
  .map(({ name }) => name)

it('EXP-045 to EXP-050: shows all types, a search, and sections by recommended tags, category and tags', async () => {
  await open()
  for (const name of ['All charts', 'Popular', 'ECharts', 'Advanced-Analytics', 'KPI', 'Report', 'Other'])
    await expect.element(section(name)).toBeVisible()
  const headings = sections.getByRole('heading', { level: 3 }).elements()
  expect(headings.map((element) => element.textContent)).toEqual(['Recommended tags', 'Category', 'Tags'])
  await expect.element(search).toHaveFocus()
  await expect.element(section('All charts')).toHaveAttribute('aria-current', 'true')
  expect(shown()).toHaveLength(availableCharts.length)
})

it('EXP-051, EXP-053: a click chooses a type and shows its name, badge, tags and description', async () => {
  await open()
  await type('Pie Chart').click()
  await expect.element(details.getByRole('heading', { name: 'Pie Chart' })).toBeVisible()
  await expect.element(details.getByText('Proportional')).toBeVisible()
  await expect.element(details.getByText(/^Shows the parts of a whole/)).toBeVisible()
  await details.getByText('Featured').hover()
  await expect.element(page.getByRole('tooltip').getByText('One of the most used chart types')).toBeVisible()
  expect(onSelect).not.toHaveBeenCalled()
  await select.click()
  expect(onSelect.mock.calls).toEqual([['pie']])
})

it('EXP-054: reports that a type has no description', async () => {
  await open(
    sales,
    availableCharts.map((chart) => (chart.viz_type === 'pie' ? { ...chart, description: '' } : chart)),
  )
  await type('Pie Chart').click()
  await expect.element(details.getByText('No description available.')).toBeVisible()
})

it('EXP-055: shows examples of the chosen type with their captions', async () => {
  await open()
  await type('Line Chart').click()
  await expect.element(details.getByRole('heading', { name: 'Examples' })).toBeVisible()
  const pictures = () => [...details.element().querySelectorAll<HTMLImageElement>('figure img')]
  await expect.poll(() => pictures().map(({ naturalWidth }) => naturalWidth > 0)).toEqual([true, true])
  await expect.element(details.getByText('Stock prices annotated')).toBeVisible()
})

it('CHART-039: marks featured and deprecated chart types with a badge', async () => {
  await open(sales, listAvailableCharts(galleryEntries, [], 'compare'))
  const badges = (name: string) => type(name).element().textContent
  expect(badges('Table')).toContain('Featured')
  expect(badges('Gauge Chart')).not.toContain('Featured')
  await type('Time-series Percent Change').click()
  await details.getByText('Deprecated').hover()
  await expect.element(page.getByRole('tooltip').getByText(/^A line chart with a time comparison/)).toBeVisible()
})

it('lists types that fit the data first, and states what the others need', async () => {
  await open({ columns: [{ column_name: 'shop', type_generic: 1 }] })
  const [fit, others] = dialog.getByRole('group', { name: 'Chart types' }).getByRole('heading').elements()
  expect([fit?.textContent, others?.textContent]).toEqual(['Fits your data', 'Others'])
  const all = shown()
  expect(all.indexOf('Pie Chart')).toBeLessThan(all.indexOf('Gantt Chart'))
  await expect.element(type('Gantt Chart').getByText('Needs 2 time columns')).toBeVisible()
  await expect.element(type('Bubble Chart').getByText('Needs 3 metrics')).toBeVisible()
  await type('Gantt Chart').click()
  await select.click()
  expect(onSelect.mock.calls).toEqual([['gantt_chart']])
})

it('EXP-056: clears the selection when the new section does not contain it', async () => {
  await open()
  await type('Pie Chart').click()
  await section('KPI').click()
  await expect.poll(() => new Set(shown())).toEqual(new Set(inKpi))
  await expect.element(select).toHaveAttribute('aria-disabled', 'true')
})

it('EXP-057, EXP-058: searches all sections, and clearing the search restores the section', async () => {
  await open()
  await section('KPI').click()
  const before = shown()
  await search.fill('line chart')
  await expect.element(type('Line Chart')).toBeVisible()
  await search.fill('')
  await expect.poll(shown).toEqual(before)
  await search.fill('no such picture')
  await expect.element(dialog.getByText('No chart types found')).toBeVisible()
})

it('EXP-052: a double click confirms, as Ctrl-Enter does', async () => {
  await open()
  await type('Big Number').dblClick()
  expect(onSelect.mock.calls).toEqual([['big_number_total']])
  await type('Pie Chart').click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(onSelect).toHaveBeenLastCalledWith('pie')
})

it('works by keyboard alone: arrows choose, Enter confirms, letters search', async () => {
  await open()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(type('Table')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}{ArrowRight}')
  await expect.element(type('Bar Chart')).toHaveFocus()
  await expect.element(type('Bar Chart')).toHaveAttribute('aria-pressed', 'true')
  await userEvent.keyboard('{ArrowDown}{ArrowUp}')
  await expect.element(type('Bar Chart')).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  expect(onSelect.mock.calls).toEqual([['echarts_timeseries_bar']])
  await userEvent.keyboard('pie')
  await expect.element(search).toHaveValue('pie')
  await userEvent.keyboard('{Enter}{Enter}')
  expect(onSelect).toHaveBeenLastCalledWith('pie')
})

it('offers the sections as a select on phones', async () => {
  await page.viewport(390, 800)
  await open()
  await dialog.getByRole('combobox', { name: 'Sections' }).click()
  await page.getByRole('option', { name: 'KPI' }).click()
  await expect.poll(() => new Set(shown())).toEqual(new Set(inKpi))
})
