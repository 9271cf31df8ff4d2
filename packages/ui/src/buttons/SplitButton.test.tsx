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

it('does the main thing by its main button, the others by its menu', async () => {
  await showSave()
  await button.click()
  expect([save.mock.calls.length, saveAs.mock.calls.length]).toEqual([1, 0])
  await more.click()
  await page.getByRole('menu', { name: 'More save options' }).getByRole('menuitem', { name: 'Save as' }).click()
  expect([save.mock.calls.length, saveAs.mock.calls.length]).toEqual([1, 1])
})

it('has its other ways also while the main one is off', async () => {
  save.mockClear()
  await showSave('No changes to save')
  await expect.element(button).toHaveAccessibleDescription('No changes to save')
  await button.click({ force: true })
  expect(save).not.toHaveBeenCalled()
  await more.click()
  await expect.element(page.getByRole('menuitem', { name: 'Save as' })).toBeVisible()
})
