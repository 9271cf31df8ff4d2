import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { SplitButton } from './SplitButton.tsx'

const save = vi.fn()
const saveAs = vi.fn()
const button = page.getByRole('button', { name: 'Save', exact: true })
const more = page.getByRole('button', { name: 'More save options' })
const showSave = (disabledReason?: string) =>
  show(
    <SplitButton
      menuLabel="More save options"
      items={[{ label: 'Save as', onSelect: saveAs }]}
      disabledReason={disabledReason}
      onClick={save}
    >
      Save
    </SplitButton>,
  )

it('runs the main action by its main button and the others by its menu', async () => {
  await showSave()
  await button.click()
  expect([save.mock.calls.length, saveAs.mock.calls.length]).toEqual([1, 0])
  await more.click()
  await page.getByRole('menu', { name: 'More save options' }).getByRole('menuitem', { name: 'Save as' }).click()
  expect([save.mock.calls.length, saveAs.mock.calls.length]).toEqual([1, 1])
})

it('keeps its menu enabled while the main action is disabled', async () => {
  save.mockClear()
  await showSave('No changes to save')
  await expect.element(button).toHaveAccessibleDescription('No changes to save')
  await button.click({ force: true })
  expect(save).not.toHaveBeenCalled()
  await more.click()
  await expect.element(page.getByRole('menuitem', { name: 'Save as' })).toBeVisible()
})
