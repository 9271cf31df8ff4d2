import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { Select } from '../fields/select/Select.tsx'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { Popover } from './Popover.tsx'

function Filter({ closeOnOutside = true }) {
  const [open, setOpen] = useState(false)
  const [text, setText] = useState('')
  const [grain, setGrain] = useState<string | null>(null)
  return (
    <main style={{ padding: 40 }}>
      <Popover
        open={open}
        onClose={() => setOpen(false)}
        label="Filter"
        closeOnOutside={closeOnOutside}
        anchor={<Button onClick={() => setOpen(!open)}>Edit filter</Button>}
      >
        <TextInput aria-label="Name" value={text} onChange={setText} />
        <Select
          aria-label="Grain"
          value={grain}
          onChange={setGrain}
          options={[
            { value: 'P1D', label: 'Day' },
            { value: 'P1M', label: 'Month' },
          ]}
        />
        <Button>Apply</Button>
      </Popover>
      <p style={{ marginTop: 400 }}>Elsewhere</p>
    </main>
  )
}
const button = page.getByRole('button', { name: 'Edit filter' })
const popover = page.getByRole('dialog', { name: 'Filter' })
const field = page.getByRole('textbox', { name: 'Name' })

it('focuses its first field, and Esc returns the focus to its button', async () => {
  await show(<Filter />)
  await expect.element(button).toHaveAttribute('aria-expanded', 'false')
  await userEvent.tab()
  await userEvent.keyboard('{Enter}')
  await expect.element(button).toHaveAttribute('aria-expanded', 'true')
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(popover).not.toBeInTheDocument()
  await expect.element(button).toHaveFocus()
})

it('traps Tab in both directions', async () => {
  await show(<Filter />)
  await button.click()
  await expect.element(field).toHaveFocus()
  await userEvent.tab({ shift: true })
  await expect.element(page.getByRole('button', { name: 'Apply' })).toHaveFocus()
  await userEvent.tab()
  await expect.element(field).toHaveFocus()
})

it('is placed 8 px below the start of its button', async () => {
  await show(<Filter />)
  await button.click()
  const [below, above] = [popover.element().getBoundingClientRect(), button.element().getBoundingClientRect()]
  expect([below.left - above.left, below.top - above.bottom]).toEqual([0, 8])
})

it('regression: fills the width of a phone', async () => {
  const { innerWidth, innerHeight } = window
  await page.viewport(390, 844)
  try {
    await show(<Filter />)
    await button.click()
    const { left, right, bottom } = popover.element().getBoundingClientRect()
    expect([left, right, bottom]).toEqual([0, 390, 844])
  } finally {
    await page.viewport(innerWidth, innerHeight)
  }
})

it('closes on a click outside, but not inside or in a list floating above it', async () => {
  await show(<Filter />)
  await button.click()
  await field.click()
  await page.getByRole('combobox', { name: 'Grain' }).click()
  await page.getByRole('option', { name: 'Month' }).click()
  await expect.element(page.getByRole('combobox', { name: 'Grain' })).toHaveValue('Month')
  await expect.element(popover).toBeVisible()
  await page.getByText('Elsewhere').click()
  await expect.element(popover).not.toBeInTheDocument()
})

it('Esc closes a list floating above it first', async () => {
  await show(<Filter />)
  await button.click()
  await page.getByRole('combobox', { name: 'Grain' }).click()
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('listbox')).not.toBeInTheDocument()
  await expect.element(popover).toBeVisible()
})

it('stays open on a click outside with closeOnOutside={false}', async () => {
  await show(<Filter closeOnOutside={false} />)
  await button.click()
  await page.getByText('Elsewhere').click()
  await expect.element(popover).toBeVisible()
})

function Nested() {
  const [isLong, setLong] = useState(false)
  const inner = (
    <Popover open onClose={() => {}} label="Inner" trapFocus={false} anchor={<Button>Anchor</Button>}>
      <Button onClick={() => setLong(true)}>Lengthen</Button>
    </Popover>
  )
  return (
    <div style={{ position: 'fixed', bottom: 8, left: 40 }}>
      <Popover open onClose={() => {}} label="Outer" trapFocus={false} anchor={<Button>Outer anchor</Button>}>
        {inner}
        {isLong && <div style={{ height: 100 }}>More</div>}
      </Popover>
    </div>
  )
}

it('regression: stays beside its anchor when the popover around the anchor moves', async () => {
  await show(<Nested />)
  const boxOf = (role: 'button' | 'dialog', name: string) =>
    page.getByRole(role, { name, exact: true }).element().getBoundingClientRect()
  const before = boxOf('button', 'Anchor').top
  await page.getByRole('button', { name: 'Lengthen' }).click()
  await expect.poll(() => boxOf('button', 'Anchor').top).toBe(before - 100)
  const distance = () => {
    const [anchor, inner] = [boxOf('button', 'Anchor'), boxOf('dialog', 'Inner')]
    return inner.top < anchor.top ? anchor.top - inner.bottom : inner.top - anchor.bottom
  }
  await expect.poll(distance).toBe(8)
})
