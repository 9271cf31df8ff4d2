import { useState, type ReactNode } from 'react'
import { expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { toast } from '../feedback/toast.ts'
import { Select } from '../fields/select/Select.tsx'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { confirm } from './confirm.tsx'
import { Dialog } from './Dialog.tsx'
import { Drawer } from './Drawer.tsx'
import { Menu } from './Menu.tsx'

const button = (name: string) => page.getByRole('button', { name, exact: true })
const opener = () => button('Open').element() as HTMLElement
/** Returns true if the element can be focused; inert elements cannot. */
const isInReach = (element: HTMLElement): boolean => {
  const before = document.activeElement
  element.focus()
  const took = document.activeElement === element
  if (before instanceof HTMLElement) before.focus()
  return took
}

function Page({ inside }: { inside?: ReactNode }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>Open</Button>
      <Dialog open={open} title="First" onClose={() => setOpen(false)}>
        <TextInput value="" onChange={() => undefined} aria-label="Name" />
        {inside}
      </Dialog>
    </>
  )
}

it('makes the page inert until it closes, and then restores the focus', async () => {
  await show(<Page />)
  await button('Open').click()
  await expect.element(page.getByRole('textbox', { name: 'Name' })).toHaveFocus()
  expect(isInReach(opener())).toBe(false)
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Open')).toHaveFocus()
  expect(document.querySelector('[inert]')).toBeNull()
})

it('regression: the page behind a dialog keeps its width when it has a scroll bar', async () => {
  const root = document.documentElement
  // The test browser does not show scroll bars.
  Object.defineProperty(root, 'clientWidth', { value: window.innerWidth - 15, configurable: true })
  try {
    await show(<Page />)
    await button('Open').click()
    await expect.poll(() => getComputedStyle(root).scrollbarGutter).toBe('stable')
    await userEvent.keyboard('{Escape}')
    await expect.poll(() => getComputedStyle(root).scrollbarGutter).toBe('auto')
  } finally {
    Reflect.deleteProperty(root, 'clientWidth')
  }
  await button('Open').click()
  expect(getComputedStyle(root).scrollbarGutter).toBe('auto')
  await userEvent.keyboard('{Escape}')
})

it('a menu opened from a dialog is not inert', async () => {
  const chosen = vi.fn()
  const menu = (
    <Menu label="Actions" items={[{ label: 'Choose', onSelect: chosen }]}>
      <Button>More</Button>
    </Menu>
  )
  await show(<Page inside={menu} />)
  await button('Open').click()
  await button('More').click()
  await page.getByRole('menuitem', { name: 'Choose' }).click()
  expect(chosen).toHaveBeenCalledOnce()
  expect(isInReach(opener())).toBe(false)
})

it('a nested dialog makes the outer one inert, and releases only what it made inert itself', async () => {
  const answer = vi.fn()
  await show(
    <Page inside={<Button onClick={() => void confirm({ title: 'Sure?', action: 'Yes' }).then(answer)}>Ask</Button>} />,
  )
  await button('Open').click()
  const ask = button('Ask').element() as HTMLElement
  await button('Ask').click()
  await expect.element(page.getByRole('alertdialog')).toBeVisible()
  expect(isInReach(ask)).toBe(false)
  await button('Yes').click()
  await expect.poll(() => answer.mock.lastCall).toEqual([true])
  await expect.element(button('Ask')).toHaveFocus()
  expect(isInReach(opener())).toBe(false)
  await userEvent.keyboard('{Escape}')
  await expect.element(button('Open')).toHaveFocus()
})

it('toasts can be used during a dialog, whether they came before or after it opened', async () => {
  const undo = vi.fn()
  await show(
    <Page inside={<Button onClick={() => toast('Late', { action: { label: 'Undo', run: undo } })}>Do</Button>} />,
  )
  toast('Early')
  await button('Open').click()
  await button('Do').click()
  await button('Undo').click()
  expect(undo).toHaveBeenCalledOnce()
  await button('Close message').click()
  await expect.element(page.getByText('Early')).not.toBeInTheDocument()
})

it.each([true, false])('the page next to a drawer is inert only if the drawer is modal: %s', async (modal) => {
  await show(
    <>
      <Button>Open</Button>
      <Drawer open title="Side" modal={modal} onClose={() => undefined}>
        words
      </Drawer>
    </>,
  )
  expect(isInReach(opener())).toBe(!modal)
})

it('regression: Escape first closes a list that opened together with its dialog', async () => {
  const options = [{ value: 'a', label: 'First option' }]
  const list = <Select aria-label="Column" options={options} value={null} onChange={() => undefined} startsOpen />
  await show(<Page inside={list} />)
  await button('Open').click()
  await expect.element(page.getByRole('option', { name: 'First option' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('option', { name: 'First option' })).not.toBeInTheDocument()
  await expect.element(page.getByRole('dialog', { name: 'First' })).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog', { name: 'First' })).not.toBeInTheDocument()
})
