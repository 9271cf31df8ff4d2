import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { RefusedNote } from './RefusedNote.tsx'

const error = { code: 'source_busy', message: '', details: {} } as const

it('counts down to the next try, offers to try now, and is announced once for all charts', async () => {
  const retry = vi.fn()
  const retryAt = Date.now() + 3_600_000
  const notes = [1, 2, 3].map((id) => (
    <div key={id} style={{ position: 'relative', height: 80 }}>
      <RefusedNote error={error} retryAt={retryAt} onRetry={retry} />
    </div>
  ))
  const { rerender } = await show(<>{notes}</>)
  await expect.element(page.getByText(/The database is busy. Trying again in 3,(600|599) s./).first()).toBeVisible()
  const spoken = page.getByRole('status').filter({ hasText: 'The database is busy. The page tries again by itself.' })
  expect(spoken.elements()).toHaveLength(1)
  await userEvent.click(page.getByRole('button', { name: 'Try again now' }).first())
  expect(retry).toHaveBeenCalledOnce()
  await rerender(<></>)
  expect(spoken.elements()).toHaveLength(0)
})
