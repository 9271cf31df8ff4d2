import { ApiError } from '@parquetry/client'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { DeadLink } from './DeadLink.tsx'

it('regression: a link to another user’s draft is not reported as broken', async () => {
  await show(<DeadLink error={new ApiError(404, 'Not found')} />)
  await expect.element(page.getByText('This link isn’t available to you')).toBeVisible()
  await expect.element(page.getByText(/is still a draft/)).toBeVisible()
})

it('shows other errors', async () => {
  await show(<DeadLink error={new Error('Network error')} />)
  await expect.element(page.getByText('Network error')).toBeVisible()
})
