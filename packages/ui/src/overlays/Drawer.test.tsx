import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { useCommand } from '../commands/registry.ts'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { Drawer } from './Drawer.tsx'

const refresh = vi.fn()
beforeEach(() => void refresh.mockClear())

function Filters({ modal = false }) {
  const [open, setOpen] = useState(false)
  const [name, setName] = useState('')
  useCommand({ id: 'page.refresh', label: 'Refresh', shortcut: 'R', run: refresh })
  return (
    <>
      <Button onClick={() => setOpen(true)}>Filters</Button>
      <Drawer open={open} onClose={() => setOpen(false)} title="Filters of this page" modal={modal}>
        <TextInput aria-label="Name" value={name} onChange={setName} />
      </Drawer>
    </>
  )
}
const button = page.getByRole('button', { name: 'Filters' })
const drawer = page.getByRole('dialog', { name: 'Filters of this page' })
const field = page.getByRole('textbox', { name: 'Name' })
const close = page.getByRole('button', { name: 'Close' })

it('focuses its first field; the close button and Esc close it and restore the focus', async () => {
  await show(<Filters />)
  for (const leave of [() => close.click(), () => userEvent.keyboard('{Escape}')]) {
    await button.click()
    await expect.element(field).toHaveFocus()
    await leave()
    await expect.element(drawer).not.toBeInTheDocument()
    await expect.element(button).toHaveFocus()
  }
})

it('does not block the page when it is not modal', async () => {
  await show(<Filters />)
  await button.click()
  await expect.element(drawer).not.toHaveAttribute('aria-modal')
  await userEvent.tab({ shift: true })
  await expect.element(close).toHaveFocus()
  await userEvent.keyboard('r')
  expect(refresh).toHaveBeenCalledOnce()
})

it("keeps the focus and blocks the page's shortcuts when it is modal", async () => {
  await show(<Filters modal />)
  await button.click()
  await expect.element(drawer).toHaveAttribute('aria-modal', 'true')
  await userEvent.tab()
  await expect.element(close).toHaveFocus()
  await userEvent.keyboard('r')
  await userEvent.tab()
  await expect.element(field).toHaveFocus()
  expect(refresh).not.toHaveBeenCalled()
})

it('closes on a click on the page behind when it is modal', async () => {
  await show(<Filters modal />)
  await button.click()
  await drawer.click()
  await expect.element(drawer).toBeVisible()
  await userEvent.click(document.body, { position: { x: 5, y: 200 }, force: true })
  await expect.element(drawer).not.toBeInTheDocument()
})
