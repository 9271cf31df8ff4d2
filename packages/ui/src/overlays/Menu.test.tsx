import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { show } from '../show.testing.tsx'
import { Menu, type MenuItem } from './Menu.tsx'

const open = vi.fn()
const items: MenuItem[] = [
  { label: 'Edit', onSelect: open },
  { label: 'Export', items: [{ label: 'As CSV', onSelect: open }, { label: 'As Excel' }] },
  { label: 'Delete', danger: true, disabledReason: 'Only owners may' },
]
const entry = (name: string) => page.getByRole('menuitem', { name })
const showMenu = () =>
  show(
    <Menu items={items} label="Actions">
      <Button>More</Button>
    </Menu>,
  )

it('opens on a click, chooses and closes', async () => {
  open.mockClear()
  await showMenu()
  await page.getByRole('button', { name: 'More' }).click()
  await entry('Edit').click()
  expect(open).toHaveBeenCalledOnce()
  await expect.element(page.getByRole('menu')).not.toBeInTheDocument()
})

it('regression: opened by keyboard, it supports arrows, typing and sub-menus, and restores the focus', async () => {
  open.mockClear()
  await showMenu()
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  await expect.element(entry('Edit')).toHaveFocus()
  await userEvent.keyboard('ex')
  await expect.element(entry('Export')).toHaveFocus()
  await userEvent.keyboard('{ArrowRight}')
  await expect.element(entry('As CSV')).toHaveFocus()
  await userEvent.keyboard('{ArrowLeft}')
  await expect.element(entry('Export')).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('button', { name: 'More' })).toHaveFocus()
  expect(open).not.toHaveBeenCalled()
})

it('shows why an entry is disabled', async () => {
  await showMenu()
  await page.getByRole('button', { name: 'More' }).click()
  await expect.element(entry('Delete')).toHaveAccessibleDescription('Only owners may')
  await entry('Delete').click({ force: true })
  await expect.element(page.getByRole('menu')).toBeInTheDocument()
})
