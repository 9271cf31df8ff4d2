import { useState } from 'react'
import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { Tabs } from './Tabs.tsx'

const tabs = [
  { value: 'data', label: 'Data' },
  { value: 'samples', label: 'Samples' },
  { value: 'look "of it"', label: 'Customize' },
] as const

function Panels() {
  const [open, setOpen] = useState<(typeof tabs)[number]['value']>('samples')
  return (
    <Tabs value={open} onChange={setOpen} tabs={tabs} label="Parts">
      <p data-testid="content">What stands in {open}</p>
      <button type="button">Inside</button>
    </Tabs>
  )
}
const panel = (name: string) => page.getByRole('tabpanel', { name })
const tab = (name: string) => page.getByRole('tab', { name })

it('labels its panel by the open tab', async () => {
  await show(<Panels />)
  await expect.element(tab('Samples')).toHaveAttribute('aria-selected', 'true')
  await expect.element(panel('Samples').getByTestId('content')).toHaveTextContent('What stands in samples')
  await tab('Data').click()
  await expect.element(tab('Samples')).toHaveAttribute('aria-selected', 'false')
  await expect.element(panel('Data').getByTestId('content')).toHaveTextContent('What stands in data')
})

it('is a single tab stop, at the open tab', async () => {
  await show(<Panels />)
  await userEvent.tab()
  await expect.element(tab('Samples')).toHaveFocus()
  await userEvent.tab()
  await expect.element(page.getByRole('button', { name: 'Inside' })).toHaveFocus()
})

it('moves with the arrows around its ends, and with Home and End', async () => {
  await show(<Panels />)
  await userEvent.tab()
  for (const [key, name] of [
    ['ArrowRight', 'Customize'],
    ['ArrowRight', 'Data'],
    ['ArrowLeft', 'Customize'],
    ['Home', 'Data'],
    ['End', 'Customize'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`)
    await expect.element(tab(name)).toHaveFocus()
    await expect.element(tab(name)).toHaveAttribute('aria-selected', 'true')
  }
})
