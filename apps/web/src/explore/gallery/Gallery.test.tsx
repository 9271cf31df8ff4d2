import { chartEntries } from '@parquetry/charts'
import { show } from '@parquetry/ui/show.testing.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { byPopularity } from './find-charts.ts'
import { Gallery } from './Gallery.tsx'

const onSelect = vi.fn<(viz_type: string) => void>()
beforeEach(async () => {
  onSelect.mockClear()
  await show(<Gallery open onClose={() => undefined} charts={chartEntries} value="table" onSelect={onSelect} />)
})

const dialog = page.getByRole('dialog', { name: 'Select a visualization type' })
const sections = dialog.getByRole('navigation', { name: 'Sections' })
const section = (name: string) => sections.getByRole('button', { name, exact: true }).first()
const types = dialog.getByRole('group', { name: 'Chart types' }).getByRole('button')
const type = (name: string) => types.filter({ hasText: new RegExp(`^${name}$`) })
const shown = () => types.elements().map((element) => element.textContent)
const select = dialog.getByRole('button', { name: 'Select', exact: true })
const search = dialog.getByRole('textbox', { name: 'Search all charts' })

const inKpi = byPopularity(chartEntries)
  .filter(({ category }) => category === 'KPI')
  .map(({ name }) => name)

it('EXP-045 to EXP-050: shows all types, the sections by recommended tags, category and tags, and a search', async () => {
  for (const name of ['All charts', 'Popular', 'ECharts', 'Advanced-Analytics', 'KPI', 'Report'])
    await expect.element(section(name)).toBeVisible()
  const headings = sections.getByRole('heading', { level: 3 }).elements()
  expect(headings.map((element) => element.textContent)).toEqual(['Recommended tags', 'Category', 'Tags'])
  await expect.element(search).toHaveFocus()
  await expect.element(section('All charts')).toHaveAttribute('aria-current', 'true')
  expect(shown()).toHaveLength(chartEntries.length)
})

it('EXP-051, EXP-053: a click chooses a type and shows its name, tags and description', async () => {
  await type('Pie Chart').click()
  const details = dialog.getByRole('complementary')
  await expect.element(details.getByRole('heading', { name: 'Pie Chart' })).toBeVisible()
  await expect.element(details.getByText('Proportional')).toBeVisible()
  await expect.element(details.getByText(/^Shows how a whole is divided/)).toBeVisible()
  expect(onSelect).not.toHaveBeenCalled()
  await select.click()
  expect(onSelect.mock.calls).toEqual([['pie']])
})

it('EXP-056: another section drops what is chosen and not in it', async () => {
  await type('Pie Chart').click()
  await section('KPI').click()
  await expect.poll(shown).toEqual(inKpi)
  await expect.element(select).toHaveAttribute('aria-disabled', 'true')
})

it('EXP-057, EXP-058: a search goes over all sections, and clearing it restores the section', async () => {
  await section('KPI').click()
  await search.fill('line chart')
  await expect.element(type('Line Chart')).toBeVisible()
  await search.fill('')
  await expect.poll(shown).toEqual(inKpi)
  await search.fill('no such picture')
  await expect.element(dialog.getByText('No chart type fits')).toBeVisible()
})

it('EXP-052: a double click confirms, as Ctrl-Enter does', async () => {
  await type('Big Number').dblClick()
  expect(onSelect.mock.calls).toEqual([['big_number_total']])
  await type('Pie Chart').click()
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  expect(onSelect).toHaveBeenLastCalledWith('pie')
})
