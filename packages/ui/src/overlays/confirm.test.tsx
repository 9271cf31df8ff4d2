import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { confirm } from './confirm.tsx'

const question = (name: string) => page.getByRole('alertdialog', { name })
const ask = (title: string, typed?: string) =>
  confirm({ title, body: 'It is on 2 dashboards.', action: 'Delete chart', ...(typed && { typed }) })

it('shows the consequence and returns true on confirmation', async () => {
  await show(null)
  const answer = ask('Delete Sales?')
  await expect.element(question('Delete Sales?')).toHaveAccessibleDescription('It is on 2 dashboards.')
  await page.getByRole('button', { name: 'Delete chart' }).click()
  expect(await answer).toBe(true)
  await expect.element(question('Delete Sales?')).not.toBeInTheDocument()
})

it('focuses Cancel: Enter, like Esc, deletes nothing', async () => {
  await show(null)
  for (const key of ['{Enter}', '{Escape}']) {
    const answer = ask('Delete Sales?')
    await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
    await userEvent.keyboard(key)
    expect(await answer).toBe(false)
  }
})

it('requires the name if one must be typed', async () => {
  await show(null)
  const answer = ask('Delete Sales?', 'Sales')
  const field = page.getByRole('textbox', { name: 'Type Sales to confirm' })
  const button = page.getByRole('button', { name: 'Delete chart' })
  await expect.element(field).toHaveFocus()
  await userEvent.keyboard('Sale{Enter}{Control>}{Enter}{/Control}')
  await expect.element(button).toHaveAccessibleDescription('Type the name to confirm')
  await button.click({ force: true })
  await expect.element(question('Delete Sales?')).toBeVisible()
  await field.click()
  await userEvent.keyboard('s{Enter}')
  expect(await answer).toBe(true)
})

it('regression: a replaced confirmation returns false, and its typed text is cleared', async () => {
  await show(null)
  const first = ask('Delete Sales?', 'Sales')
  await page.getByRole('textbox').fill('Sales')
  const second = ask('Delete Sales of old?', 'Sales')
  expect(await first).toBe(false)
  await expect.element(question('Delete Sales of old?')).toBeVisible()
  await expect.element(page.getByRole('textbox')).toHaveValue('')
  await page.getByRole('button', { name: 'Cancel' }).click()
  expect(await second).toBe(false)
})
