import { show } from '@parquetry/ui/show.testing.tsx'
import { beforeEach, expect, it } from 'vitest'
import { page } from 'vitest/browser'
import { useAutoUpdate } from './use-auto-update.ts'

beforeEach(() => localStorage.clear())

function Switch({ database = 1, lastMs }: { database?: number; lastMs: number }) {
  const { isOn, set } = useAutoUpdate(database, lastMs)
  return <button onClick={() => set(!isOn)}>{isOn ? 'on' : 'off'}</button>
}
const button = (state: 'on' | 'off') => page.getByRole('button', { name: state, exact: true })

it('updates while editing if the last query took less than two seconds', async () => {
  const shown = await show(<Switch lastMs={1999} />)
  await expect.element(button('on')).toBeVisible()
  await shown.rerender(<Switch lastMs={2000} />)
  await expect.element(button('off')).toBeVisible()
})

it("the user's choice overrides the query duration, per database", async () => {
  const shown = await show(<Switch lastMs={5000} />)
  await button('off').click()
  await expect.element(button('on')).toBeVisible()
  await shown.unmount()
  const again = await show(<Switch lastMs={5000} />)
  await expect.element(button('on')).toBeVisible()
  await again.unmount()
  await show(<Switch database={2} lastMs={5000} />)
  await expect.element(button('off')).toBeVisible()
})
