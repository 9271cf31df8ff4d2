import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { nextFrame, show } from '../show.testing.tsx'
import { closeToast, currentToasts, toast, toastError, toastHistory } from './toast.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => {
  for (const { id } of currentToasts()) closeToast(id)
  vi.useRealTimers()
})

const text = (words: string) => page.getByRole('region', { name: 'Messages' }).getByText(words, { exact: true })
const showPage = () => show(<p>The page</p>)

it('disappears after five seconds, or eight with an action', async () => {
  await showPage()
  toast('Saved')
  toast('Deleted', { action: { label: 'Undo', run: () => undefined } })
  await nextFrame()
  expect(text('Deleted').element()).toBeVisible()
  vi.advanceTimersByTime(4999)
  await nextFrame()
  expect(text('Saved').element()).toBeVisible()
  vi.advanceTimersByTime(1)
  await expect.element(text('Saved')).not.toBeInTheDocument()
  await expect.element(text('Deleted')).toBeVisible()
  vi.advanceTimersByTime(3000)
  await expect.element(text('Deleted')).not.toBeInTheDocument()
})

it('stays while it is hovered or focused', async () => {
  await showPage()
  toast('Saved')
  await text('Saved').hover()
  vi.advanceTimersByTime(60_000)
  await expect.element(text('Saved')).toBeVisible()
  await userEvent.keyboard('{Alt>}n{/Alt}')
  await expect.element(page.getByRole('button', { name: 'Close message' })).toHaveFocus()
  await page.getByText('The page').hover()
  await userEvent.tab()
  vi.advanceTimersByTime(5000)
  await expect.element(text('Saved')).not.toBeInTheDocument()
})

it('shows an error as an alert that stays until it is closed', async () => {
  await showPage()
  toastError('The store is away')
  toast('Saved')
  await expect.element(page.getByRole('alert')).toHaveTextContent('The store is away')
  await expect.element(page.getByRole('status').filter({ hasText: 'Saved' })).not.toHaveTextContent('The store')
  vi.advanceTimersByTime(60_000)
  await expect.element(text('Saved')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Close message' }).click()
  await expect.element(text('The store is away')).not.toBeInTheDocument()
})

it('counts a repeated text instead of showing it again, and restarts its time', async () => {
  await showPage()
  toast('Saved')
  await expect.element(text('Saved')).toBeVisible()
  vi.advanceTimersByTime(4000)
  toast('Saved')
  await expect.element(page.getByText('Saved ×2')).toBeVisible()
  vi.advanceTimersByTime(4000)
  await expect.element(page.getByText('Saved ×2')).toBeVisible()
  expect(toastHistory().filter((one) => one.text === 'Saved' && one.times === 2)).toHaveLength(1)
})

it('shows the newest three', async () => {
  await showPage()
  for (const words of ['One', 'Two', 'Three', 'Four']) toastError(words)
  await expect.element(text('Four')).toBeVisible()
  await expect.element(text('One')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Close message' })).toHaveLength(3)
})

it('runs its action once and disappears', async () => {
  const run = vi.fn()
  await showPage()
  toast('Deleted', { action: { label: 'Undo', run } })
  await page.getByRole('button', { name: 'Undo' }).click()
  expect(run).toHaveBeenCalledOnce()
  await expect.element(text('Deleted')).not.toBeInTheDocument()
})
