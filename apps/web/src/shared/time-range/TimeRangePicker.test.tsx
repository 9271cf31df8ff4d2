import { show } from '@parquetry/ui/show.testing.tsx'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { TimeSource } from '../fetch-column-span.ts'
import { TimeRangePicker } from './TimeRangePicker.tsx'

const onChange = vi.fn<(range: string) => void>()
/** Texts that the server refuses. */
const refused = /foo|2026-02-30/
let answered = 0
let answers: Promise<unknown> = Promise.resolve()

beforeEach(() => {
  onChange.mockClear()
  answered = 0
  answers = Promise.resolve()
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input) => {
    const path = decodeURIComponent(String(input instanceof Request ? input.url : input))
    await answers
    answered += 1
    if (path.includes('chart/data'))
      return Response.json({ result: [{ data: [{ from: Date.UTC(2023, 4, 3), to: Date.UTC(2024, 1, 28, 9) }] }] })
    if (refused.test(path))
      return Response.json({ message: 'Unexpected time range: Cannot parse time string [foo]' }, { status: 400 })
    return Response.json({ result: { since: '2026-02-01T00:00:00', until: '2026-02-28T00:00:00', timeRange: '' } })
  })
})
afterEach(() => vi.mocked(globalThis.fetch).mockRestore())

function Host({ source }: { source?: TimeSource }) {
  const [{ value, revision }, setState] = useState({ value: 'Last week', revision: 0 })
  const put = (range: string) => {
    onChange(range)
    setState(({ revision: last }) => ({ value: range, revision: last + 1 }))
  }
  return (
    <QueryClientProvider client={new QueryClient()}>
      <TimeRangePicker label="When" value={value} onChange={put} revision={revision} source={source} />
      <button onClick={() => put('No filter')}>Clear</button>
    </QueryClientProvider>
  )
}
const field = () => page.getByRole('textbox', { name: 'When', exact: true })
const dialog = () => page.getByRole('dialog', { name: 'When' })
const clear = () => userEvent.click(page.getByRole('button', { name: 'Clear' }))

it('regression: text that is not a range is refused by name and does not stay in the field', async () => {
  await show(<Host />)
  await field().fill('foo')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('alert').filter({ hasText: '“foo” is not a time range.' })).toBeVisible()
  await expect.element(field()).toHaveValue('foo')
  await userEvent.keyboard('{Tab}')
  await clear()
  await expect.element(field()).toHaveValue('')
})

it('regression: the editor does not cover the error of its field', async () => {
  await show(<Host />)
  await field().fill('foo')
  await userEvent.keyboard('{Enter}')
  const error = page.getByRole('alert').filter({ hasText: '“foo” is not a time range.' })
  await expect.element(error).toBeVisible()
  await userEvent.click(field())
  await expect.element(dialog()).toBeVisible()
  const isBelow = () => dialog().element().getBoundingClientRect().top >= error.element().getBoundingClientRect().bottom
  await expect.poll(isBelow).toBe(true)
})

it('regression: leaving the field with invalid text shows the range in force again', async () => {
  await show(<Host />)
  await field().fill('2026-02-30 : now')
  await userEvent.click(document.body)
  await expect.element(field()).toHaveValue('last week')
  await expect.element(page.getByRole('alert').first()).toBeVisible()
  expect(onChange).not.toHaveBeenCalled()
})

it('regression: Clear clears the typed text too, whenever the server answers', async () => {
  let answer = () => undefined as void
  answers = new Promise<void>((resolve) => (answer = resolve))
  await show(<Host />)
  await field().fill('2026-01-01 : now')
  await clear()
  await expect.element(field()).toHaveValue('')
  answer()
  await expect.poll(() => answered).toBeGreaterThan(0)
  await expect.element(field()).toHaveValue('')
  expect(onChange.mock.calls).toEqual([['No filter']])
})

it.each([
  [' : 2026-01-01', ' : 2026-01-01'],
  ['2026-Q1', '2026-01-01 : 2026-04-01'],
  ['this month', 'this month'],
])('typing “%s” sets the range %s', async (typed, range) => {
  await show(<Host />)
  await field().fill(typed)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => onChange.mock.calls).toEqual([[range]])
})

it('C033: the mode Current has its periods, and the summary shows an exclusive end', async () => {
  await show(<Host />)
  await userEvent.click(page.getByRole('button', { name: 'Choose a range for When' }))
  await userEvent.click(dialog().getByText('Current', { exact: true }))
  await userEvent.click(dialog().getByRole('radio', { name: 'current month' }))
  await expect.element(dialog().getByText('2026-02-01 ≤ time < 2026-02-28 UTC')).toBeVisible()
  await userEvent.click(dialog().getByRole('button', { name: 'Apply' }))
  expect(onChange.mock.calls).toEqual([['Current month']])
})

it('offers the days of the data, and two months to choose days from, also by keyboard', async () => {
  await show(<Host source={{ dataset: { id: 4, type: 'table' }, column: 'day' }} />)
  await userEvent.click(page.getByRole('button', { name: 'Choose a range for When' }))
  await expect.element(dialog().getByText('Data from 2023-05-03 to 2024-02-28')).toBeVisible()
  await userEvent.click(dialog().getByRole('button', { name: 'Use all' }))
  await expect.element(dialog().getByText('May 2023')).toBeVisible()
  await expect.element(dialog().getByText('June 2023')).toBeVisible()
  await userEvent.click(dialog().getByRole('button', { name: 'Wednesday, May 10, 2023' }))
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}{ArrowRight}')
  await expect.element(dialog().getByRole('button', { name: 'Thursday, June 1, 2023' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await userEvent.click(dialog().getByRole('button', { name: 'Apply' }))
  expect(onChange.mock.calls).toEqual([['2023-05-10T00:00:00 : 2023-06-02T00:00:00']])
})
