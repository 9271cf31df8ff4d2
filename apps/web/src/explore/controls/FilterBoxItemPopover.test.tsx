import { buildFieldGroups, loadChart, type FilterBoxItem } from '@parquetry/charts'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { ExploreDataset } from '../use-explore.ts'
import { FieldControl } from './FieldControl.tsx'

const dataset = {
  id: 1,
  type: 'table',
  columns: [
    { column_name: 'shop', type: 'VARCHAR', type_generic: 1 },
    { column_name: 'floor', type: 'INTEGER', type_generic: 0 },
  ],
  metrics: [{ metric_name: 'sales' }],
  verbose_map: {},
} as unknown as ExploreDataset

const onChange = vi.fn<(items: FilterBoxItem[]) => void>()

async function open(filter_configs: FilterBoxItem[]) {
  onChange.mockClear()
  const { form } = (await loadChart('filter_box'))!
  const stored = { viz_type: 'filter_box', filter_configs }
  const field = buildFieldGroups(form, stored)
    .flatMap(({ fields }) => fields)
    .find(({ name }) => name === 'filter_configs')!
  await show(
    <FieldControl
      field={field}
      form={stored}
      dataset={dataset}
      onChange={(value) => onChange(value as FilterBoxItem[])}
    />,
  )
}
const choose = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: new RegExp(`^${field}`) }).click()
  await page.getByRole('option', { name: option }).click()
}
const box = (name: string) => page.getByRole('checkbox', { name: new RegExp(`^${name}`) })

it('EXP-029, NATF-039, NATF-040, NATF-042: Add filter opens the settings of an item and saves all of them', async () => {
  await open([])
  await page.getByRole('button', { name: 'Add filter' }).first().click()
  await expect.element(page.getByRole('button', { name: 'Save' })).toHaveAttribute('aria-disabled', 'true')
  // NATF-050 to NATF-053
  const states = ['Sort ascending', 'Allow multiple selections', 'Search all filter options', 'Required'].map(
    (name) => (box(name).element() as HTMLInputElement).checked,
  )
  expect(states).toEqual([true, true, false, false])
  await choose('Column', 'floor')
  await page.getByRole('textbox', { name: 'Label' }).fill('Floor')
  await choose('Sort metric', 'sales')
  await box('Sort ascending').click()
  await box('Allow multiple selections').click()
  await box('Search all filter options').click()
  await box('Required').click()
  await page.getByRole('textbox', { name: 'Default value' }).fill('2')
  await page.getByRole('button', { name: 'Save' }).click()
  expect(onChange.mock.calls).toEqual([
    [
      [
        {
          column: 'floor',
          label: 'Floor',
          defaultValue: 2,
          metric: 'sales',
          asc: false,
          multiple: false,
          searchAllOptions: true,
          clearable: false,
        },
      ],
    ],
  ])
})

it('keeps a missing column, struck through', async () => {
  await open([{ column: 'town' }])
  await expect.element(page.getByTitle(/might be incompatible with current dataset/)).toHaveTextContent('town')
})
