import { show } from '@parquetry/ui/show.testing.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ExploreDataset } from '../use-explore.ts'
import { SpatialControl, type SpatialValue } from './MapControls.tsx'

const dataset = {
  id: 1,
  type: 'table',
  columns: ['lon', 'lat', 'place'].map((column_name) => ({ column_name, type: 'VARCHAR', type_generic: 1 })),
  metrics: [],
  verbose_map: {},
} as unknown as ExploreDataset

const onChange = vi.fn<(value: SpatialValue | undefined) => void>()
beforeEach(() => void onChange.mockClear())

const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const save = () => page.getByRole('button', { name: 'Save' }).click()
const refusal = () => page.getByText('Invalid lat/long configuration.')

it('CTRL-035 to CTRL-037: rejects a location with a message until its type has all required settings', async () => {
  await show(<SpatialControl value={null} dataset={dataset} onChange={onChange} />)
  await page.getByRole('button', { name: 'Choose location columns' }).first().click()
  await choose('Longitude', 'lon')
  await save()
  await expect.element(refusal()).toBeVisible()
  await choose('Latitude', 'lat')
  await expect.element(refusal()).not.toBeInTheDocument()

  await choose('Location format', 'Both in one column')
  await save()
  await expect.element(refusal(), { message: 'without a column' }).toBeVisible()
  await choose('Column', 'place')
  await page.getByRole('textbox', { name: 'Delimiter' }).fill('')
  await save()
  await expect.element(refusal(), { message: 'without a delimiter' }).toBeVisible()

  await choose('Location format', 'Geohash')
  await save()
  await expect.element(refusal()).toBeVisible()
  expect(onChange).not.toHaveBeenCalled()
  await choose('Column', 'place')
  await save()
  expect(onChange.mock.calls[0]?.[0]).toMatchObject({ type: 'geohash', geohashCol: 'place' })
})
