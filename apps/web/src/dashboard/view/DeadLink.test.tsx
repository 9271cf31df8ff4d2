import { ApiError } from '@parquetry/client'
import { show } from '@parquetry/ui/show.testing.tsx'
import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { DeadLink } from './DeadLink.tsx'

it('regression: a link to a draft of somebody else was said not to work any more', async () => {
  await show(<DeadLink error={new ApiError(404, 'Not found')} />)
  await expect.element(page.getByText('This link isn’t available to you')).toBeVisible()
  await expect.element(page.getByText(/is still a draft/)).toBeVisible()
})

it('says what else went wrong', async () => {
  await show(<DeadLink error={new Error('Network error')} />)
  await expect.element(page.getByText('Network error')).toBeVisible()
})
