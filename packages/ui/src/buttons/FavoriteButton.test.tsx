import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { FavoriteButton } from './FavoriteButton.tsx'

function Favorite() {
  const [on, setOn] = useState(false)
  return <FavoriteButton isFavorite={on} name="Sales" onChange={setOn} />
}
const star = page.getByRole('button', { name: 'Favorite Sales' })

it('is a toggle button that describes its next action', async () => {
  await show(<Favorite />)
  await expect.element(star).toHaveAttribute('aria-pressed', 'false')
  await expect.element(star).toHaveAccessibleDescription('Add to favorites')
  await star.click()
  await expect.element(star).toHaveAttribute('aria-pressed', 'true')
  await expect.element(star).toHaveAccessibleDescription('Remove from favorites')
  await userEvent.keyboard(' ')
  await expect.element(star).toHaveAttribute('aria-pressed', 'false')
})
