import { show } from '@parquetry/ui/show.testing.tsx'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TimeColumnPopover, type TimeColumnEntry } from './TimeColumnPopover.tsx'

const onSave = vi.fn<(column: TimeColumnEntry) => void>()
beforeEach(() => void onSave.mockClear())

const field = (name: string) => page.getByLabelText(name, { exact: false }).first()
const choose = async (name: string, option: string) => {
  await userEvent.click(page.getByRole('combobox', { name }))
  await userEvent.click(page.getByRole('option', { name: option, exact: true }))
}
const format = async (name: string, text: string) => {
  await page.getByRole('combobox', { name }).fill(text)
  await userEvent.keyboard('{Enter}')
}
const bounds = async (low: string, high: string) => {
  await page.getByRole('spinbutton', { name: 'Minimum' }).fill(low)
  await page.getByRole('spinbutton', { name: 'Maximum' }).fill(high)
}

it('CTRL-108: saves the fields of a time comparison', async () => {
  await show(<TimeColumnPopover column={{ key: 'k' }} onSave={onSave} onCancel={() => undefined} />)
  await field('Label').fill('Change')
  await field('Tooltip').fill('to two years before')
  await choose('Type', 'Time comparison')
  await choose('Comparison', 'Difference')
  await field('Time lag').fill('2')
  await bounds('-5', '5')
  await format('Number format', '.7f')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onSave).toHaveBeenCalledExactlyOnceWith({
    key: 'k',
    label: 'Change',
    tooltip: 'to two years before',
    colType: 'time',
    comparisonType: 'diff',
    timeLag: 2,
    bounds: [-5, 5],
    d3format: '.7f',
  })
})

it('CTRL-108: saves the fields of a sparkline', async () => {
  await show(<TimeColumnPopover column={{ key: 'k' }} onSave={onSave} onCancel={() => undefined} />)
  await choose('Type', 'Sparkline')
  await field('Width in pixels').fill('120')
  await field('Height in pixels').fill('40')
  await field('Period ratio').fill('4')
  await userEvent.click(page.getByRole('checkbox', { name: 'Show minimum and maximum' }))
  await bounds('0', '1')
  await format('Date format', '%j')
  await format('Number format', '.8f')
  await userEvent.click(page.getByRole('button', { name: 'Save' }))
  expect(onSave).toHaveBeenCalledExactlyOnceWith({
    key: 'k',
    colType: 'spark',
    width: 120,
    height: 40,
    timeRatio: 4,
    showYAxis: true,
    yAxisBounds: [0, 1],
    dateFormat: '%j',
    d3format: '.8f',
  })
})
