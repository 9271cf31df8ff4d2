import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { queryFixture } from '../fixtures.testing.ts'
import { QueryRunning } from './QueryRunning.tsx'

it('says when a refused run is tried again, and tries now or stops on request', async () => {
  const actions = { stop: vi.fn(), tryNow: vi.fn() }
  const running = queryFixture({ state: 'running', startDttm: Date.now() })
  const error = { code: 'source_busy', message: '', details: {} } as const
  const refused = { ...running, refusal: { error, retryAt: Date.now() + 3_600_000 } }
  const { rerender } = await show(<QueryRunning query={refused} before={null} actions={actions} />)
  await expect.element(page.getByText(/^The database is busy. Trying again in 3,(600|599) s.$/)).toBeVisible()
  expect(page.getByRole('progressbar').elements()).toHaveLength(0)
  await userEvent.click(page.getByRole('button', { name: 'Try again now' }))
  expect(actions.tryNow).toHaveBeenCalledExactlyOnceWith(running.id)
  await userEvent.click(page.getByRole('button', { name: 'Stop' }))
  expect(actions.stop).toHaveBeenCalledExactlyOnceWith(running.id)

  await rerender(<QueryRunning query={running} before={null} actions={actions} />)
  await expect.element(page.getByText(/^Running…/)).toBeVisible()
  expect(page.getByText(/Trying again/).elements()).toHaveLength(0)
})
