import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { nextFrame, show } from '../show.testing.tsx'
import { Delayed } from './Skeleton.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

it('keeps the previous content until the wait exceeds the delay', async () => {
  await show(<Delayed instead="Updated 12:30">3 of 20 charts</Delayed>)
  vi.advanceTimersByTime(149)
  await nextFrame()
  expect(page.getByText('Updated 12:30').element()).toBeVisible()
  vi.advanceTimersByTime(1)
  await expect.element(page.getByText('3 of 20 charts')).toBeVisible()
  await expect.element(page.getByText('Updated 12:30')).not.toBeInTheDocument()
})
