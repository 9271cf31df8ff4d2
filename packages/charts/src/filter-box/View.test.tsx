import { show } from '@parquetry/ui/show.testing.tsx'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { toFrames } from '../testing/frames.ts'
import { ChartHost, type FilterHost } from '../views/index.tsx'

const onMask = vi.fn<NonNullable<FilterHost['onMask']>>()
const ask = vi.fn<FilterHost['runQuery']>()
beforeEach(() => {
  onMask.mockClear()
  ask.mockReset()
})

const shops = Array.from({ length: 1000 }, (_, index) => `shop ${index}`)
const filter_configs = [
  { column: 'town', label: 'Town', defaultValue: 'Rome', multiple: false, clearable: false },
  { column: 'shop', searchAllOptions: true },
]
const frames = toFrames({
  values_0: [{ name: 'town', values: ['Oslo', 'Rome', null] }],
  values_1: [{ name: 'shop', values: shops }],
})

function Box({ more = {}, first }: { more?: object; first?: Record<string, unknown> }) {
  const [filterState, setFilterState] = useState(first)
  return (
    <div style={{ width: 320, height: 600 }}>
      <ChartHost
        form={{ viz_type: 'filter_box', filter_configs, ...more }}
        frames={frames}
        title="Filters"
        filtering={{
          TimeRange: ({ label, value, onChange }) => (
            <input aria-label={label} value={value} onChange={({ target }) => onChange(target.value)} />
          ),
          grains: [['P1M', 'Month']],
          timeColumns: [['sold_on', 'Sold on']],
          runQuery: ask,
          filterState,
          onMask: (entry) => {
            onMask(entry)
            setFilterState(entry.filterState)
          },
        }}
      />
    </div>
  )
}

const apply = page.getByRole('button', { name: 'Apply' })
const pick = async (field: string, option: string) => {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}
const filters = () => onMask.mock.lastCall?.[0].extraFormData

it('NATF-033, NATF-037, NATF-038: choices filter once applied, including the defaults', async () => {
  await show(<Box />)
  await expect.element(apply).toHaveAttribute('aria-disabled', 'true')
  await pick('shop', 'shop 7')
  await userEvent.keyboard('{Escape}')
  expect(onMask).not.toHaveBeenCalled()
  await apply.click()
  expect(filters()).toEqual({
    filters: [
      { col: 'town', op: '==', val: 'Rome' },
      { col: 'shop', op: 'IN', val: ['shop 7'] },
    ],
  })
  await expect.element(apply).toHaveAttribute('aria-disabled', 'true')
})

it('NATF-038: filters immediately if configured, without an Apply button', async () => {
  await show(<Box more={{ instant_filtering: true }} />)
  await pick('Town', 'Oslo')
  expect(filters()).toEqual({ filters: [{ col: 'town', op: '==', val: 'Oslo' }] })
  await pick('Town', '∅')
  expect(filters()).toEqual({ filters: [{ col: 'town', op: 'IS NULL' }] })
  await expect.element(apply).not.toBeInTheDocument()
})

it('shows the filters in force: none after they were removed elsewhere', async () => {
  await show(<Box first={{ value: null }} />)
  await expect.element(page.getByText('Choose a value')).toBeVisible()
  await expect.element(page.getByText('Rome')).not.toBeInTheDocument()
})

it('NATF-034 to NATF-036: filters by time range, and by grain and time column if configured', async () => {
  const more = { instant_filtering: true, show_sqla_time_granularity: true, show_sqla_time_column: true }
  await show(<Box more={more} />)
  await page.getByRole('textbox', { name: 'Time range' }).fill('Last week')
  await pick('Time grain', 'Month')
  await pick('Time column', 'Sold on')
  expect(filters()).toMatchObject({ time_range: 'Last week', time_grain_sqla: 'P1M', granularity_sqla: 'sold_on' })
})

it('has no time filters if the form disables them', async () => {
  await show(<Box more={{ date_filter: false }} />)
  await expect.element(page.getByRole('combobox', { name: 'Town' })).toBeVisible()
  for (const name of ['Time range', 'Time grain', 'Time column'])
    await expect.element(page.getByLabelText(name)).not.toBeInTheDocument()
})

it('NATF-047, NATF-048: searches the database for the typed text if it may have more values', async () => {
  ask.mockResolvedValue(toFrames({ found: [{ name: 'shop', values: ['shop in the sky'] }] }).found!)
  await show(<Box more={{ instant_filtering: true }} />)
  await page.getByRole('combobox', { name: 'shop' }).click()
  await userEvent.keyboard('sky')
  await page.getByRole('option', { name: 'shop in the sky' }).click()
  expect(ask.mock.lastCall).toEqual(['values_1', [{ col: 'shop', op: 'ILIKE', val: '%sky%' }]])
  expect(filters()).toMatchObject({ filters: [{}, { col: 'shop', val: ['shop in the sky'] }] })
})

it('NATF-048: searches the loaded values if they are complete', async () => {
  await show(<Box />)
  await page.getByRole('combobox', { name: 'Town' }).click()
  await userEvent.keyboard('os')
  await expect.element(page.getByRole('option', { name: 'Oslo' })).toBeVisible()
  await expect.element(page.getByRole('option', { name: 'Rome' })).not.toBeInTheDocument()
  expect(ask).not.toHaveBeenCalled()
})
