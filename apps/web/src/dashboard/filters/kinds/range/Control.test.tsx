import type { DataMaskEntry, NativeFilter } from '@parquetry/model'
import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { readDashboard } from '../../../document/read-dashboard.ts'
import { DashboardContext, type DashboardContextValue } from '../../../state/context.ts'
import { createDashboardStore } from '../../../state/store.ts'
import { newFilter } from '../../config.ts'
import { valueOf } from '../../mask.ts'
import { buildParentKey } from '../../value-queries.ts'
import type { RangeValues } from '../../values.ts'
import Control from './Control.tsx'

const price: NativeFilter = {
  ...newFilter('price', 'filter_range'),
  targets: [{ datasetId: 1, column: { name: 'price' } }],
}
const store = createDashboardStore(readDashboard({ id: 1, json_metadata: '{}', position_json: '{}' }, []))
const changed = vi.fn<(value: unknown) => void>()

/** The control over a column with these ends. */
async function showRange(ends: Pick<RangeValues, 'least' | 'greatest'>) {
  changed.mockClear()
  const client = new QueryClient()
  client.setQueryData(['filter-range', price, 1, buildParentKey(price, {})], { ...ends, bins: [] })
  function Filter() {
    const [entry, setEntry] = useState<DataMaskEntry>()
    const change = (next: DataMaskEntry) => {
      changed(valueOf(next))
      setEntry(next)
    }
    return <Control filter={price} entry={entry} name="Price" onChange={change} />
  }
  await show(
    <QueryClientProvider client={client}>
      <DashboardContext value={{ store } as unknown as DashboardContextValue}>
        <Filter />
      </DashboardContext>
    </QueryClientProvider>,
  )
}
const field = (name: string) => page.getByRole('spinbutton', { name: `Price: ${name}` })
const handle = (name: string) => page.getByRole('slider', { name: `Price: ${name}` })
const note = page.getByText(/^From must not be greater than To\./)
const applied = () => changed.mock.lastCall?.[0]

it('regression: a range from above its end is refused at the field, and the previous range stays', async () => {
  await showRange({ least: 0, greatest: 100 })
  await field('To').fill('10')
  await userEvent.tab()
  await field('From').click()
  await userEvent.keyboard('5')
  expect(applied()).toEqual([5, 10])
  await userEvent.keyboard('0')
  expect(applied(), 'not the 5 of 50').toEqual([null, 10])
  await expect.element(field('From')).toHaveAttribute('aria-invalid', 'true')
  await userEvent.tab()
  await expect.element(note).toBeVisible()
  await expect.element(field('From')).toHaveValue('50')
  await field('To').fill('60')
  expect(applied()).toEqual([50, 60])
  await expect.element(note).not.toBeInTheDocument()
})

it('says nothing while a longer number is typed', async () => {
  await showRange({ least: 0, greatest: 100 })
  await field('From').fill('5')
  await field('To').click()
  await userEvent.keyboard('1')
  await expect.element(note).not.toBeInTheDocument()
  await userEvent.keyboard('0')
  expect(applied()).toEqual([5, 10])
})

it('regression: the slider shows and reaches the bounds of the column exactly', async () => {
  await showRange({ least: 1.2345, greatest: 9.8765 })
  await expect.element(handle('To')).toHaveAttribute('aria-valuetext', '9.8765')
  handle('To').element().focus()
  await userEvent.keyboard('{ArrowLeft}')
  expect(applied()).toEqual([null, 9.87])
  await userEvent.keyboard('{End}')
  expect(applied(), 'an end of the column is left open').toBeNull()
  handle('From').element().focus()
  await userEvent.keyboard('{ArrowRight}')
  expect(applied()).toEqual([1.24, null])
  await userEvent.keyboard('{Home}')
  expect(applied()).toBeNull()
})

it('regression: moving the focus to the slider does not round a typed number', async () => {
  await showRange({ least: 0, greatest: 1 })
  await field('To').fill('0.123456')
  handle('To').element().focus()
  await userEvent.keyboard('{Shift}')
  expect(applied()).toEqual([null, 0.123456])
})

it('regression: whole numbers and fractions of any length are filtered and compared digit by digit', async () => {
  await showRange({ least: '-9223372036854775808', greatest: '9223372036854775807' })
  await expect.element(field('To')).toHaveAttribute('placeholder', '9223372036854775807')
  await field('From').fill('9007199254740993')
  await field('To').fill('9007199254740992')
  await userEvent.tab()
  await expect.element(note).toBeVisible()
  await field('To').fill('9007199254740995')
  expect(applied()).toEqual(['9007199254740993', '9007199254740995'])
  await userEvent.keyboard('{ArrowDown}')
  expect(applied()).toEqual(['9007199254740993', 9_007_199_254_740_994])
  await field('From').fill('0.12345678901234567891')
  expect(applied()).toEqual(['0.12345678901234567891', 9_007_199_254_740_994])
})
