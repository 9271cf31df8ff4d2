import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { show } from '../show.testing.tsx'
import { CommandPalette, type PaletteGroup } from './CommandPalette.tsx'
import { useCommand } from './registry.ts'

const run = vi.fn()
const refresh = vi.fn()
const groups: PaletteGroup[] = [
  {
    id: 'dashboards',
    label: 'Dashboards',
    items: ['Penguins', 'Flights'].map((label) => ({
      id: label,
      label,
      icon: 'dashboard',
      href: `/d/${label}`,
      run: () => run(label),
    })),
  },
  { id: 'create', label: 'Create', items: [{ id: 'chart', label: 'Chart', icon: 'plus', run: () => run('Chart') }] },
]
const fitting = (text: string): PaletteGroup[] =>
  groups
    .map((group) => ({ ...group, items: group.items.filter(({ label }) => label.toLowerCase().includes(text)) }))
    .filter(({ items }) => items.length > 0)

function Palette() {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  useCommand({ id: 'page.refresh', label: 'Refresh', shortcut: 'Alt+R', run: refresh })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Search</Button>
      {open && <CommandPalette text={text} onText={setText} groups={fitting(text)} onClose={() => setOpen(false)} />}
    </>
  )
}
beforeEach(async () => {
  run.mockClear()
  await show(<Palette />)
  await page.getByRole('button', { name: 'Search' }).click()
})
const palette = page.getByRole('dialog', { name: 'Search and commands' })
const field = page.getByRole('combobox', { name: 'Search everything' })
const option = (name: string) => page.getByRole('option', { name })
const expectMarked = async (name: string) => {
  await expect.element(option(name)).toHaveAttribute('aria-selected', 'true')
  expect(field.element().getAttribute('aria-activedescendant')).toBe(option(name).element().id)
}

it('focuses its field, with the first item active and items in named groups', async () => {
  await expect.element(field).toHaveFocus()
  await expectMarked('Penguins')
  await expect.element(page.getByRole('group', { name: 'Create' }).getByRole('option')).toHaveTextContent('Chart')
})

it('moves with the arrows through all groups and wraps around; Home and End move in the list while the field is empty', async () => {
  for (const [key, name] of [
    ['ArrowDown', 'Flights'],
    ['ArrowDown', 'Chart'],
    ['ArrowDown', 'Penguins'],
    ['ArrowUp', 'Chart'],
    ['Home', 'Penguins'],
    ['End', 'Chart'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expectMarked(name)
  }
  await expect.element(field).toHaveFocus()
})

it('activates the first item after typing; Home and End then move in the text', async () => {
  await userEvent.keyboard('{ArrowDown}i')
  await expectMarked('Penguins')
  await userEvent.keyboard('{ArrowDown}{Home}fl')
  await expect.element(field).toHaveValue('fli')
  await expectMarked('Flights')
})

it('opens the active item on Enter and closes', async () => {
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(run.mock.calls).toEqual([['Flights']])
  await expect.element(palette).not.toBeInTheDocument()
})

it('opens on click, and in a new tab on Ctrl-click', async () => {
  const open = vi.spyOn(window, 'open').mockReturnValue(null)
  await option('Flights').click({ modifiers: ['Control'] })
  expect(open.mock.calls).toEqual([['/d/Flights', '_blank', 'noopener']])
  await page.getByRole('button', { name: 'Search' }).click()
  await option('Chart').click()
  expect(run.mock.calls).toEqual([['Chart']])
  open.mockRestore()
})

it('shows that nothing was found, and ignores Enter', async () => {
  await userEvent.keyboard('zzz{Enter}')
  await expect.element(palette.getByRole('status')).toHaveTextContent('No results')
  await expect.element(field).not.toHaveAttribute('aria-activedescendant')
  expect(run).not.toHaveBeenCalled()
})

it("traps Tab, suspends the page's shortcuts, and restores the focus on Esc", async () => {
  await userEvent.keyboard('{Tab}{Alt>}r{/Alt}')
  await expect.element(field).toHaveFocus()
  expect(refresh).not.toHaveBeenCalled()
  await userEvent.keyboard('{Escape}')
  await expect.element(palette).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Search' })).toHaveFocus()
  await userEvent.keyboard('{Alt>}r{/Alt}')
  expect(refresh).toHaveBeenCalledOnce()
})
