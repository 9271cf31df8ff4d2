import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../show.testing.tsx'
import { MultiSelect, type MultiSelectProps } from './MultiSelect.tsx'
import type { Option } from './options.ts'

const changed = vi.fn<(value: string[]) => void>()
beforeEach(() => void changed.mockClear())
afterEach(() => void vi.useRealTimers())

const species: Option[] = [
  { value: 'a', label: 'Adelie' },
  { value: 'c', label: 'Chinstrap' },
  { value: 'g', label: 'Gentoo' },
  { value: 'e', label: 'Emperor', disabledReason: 'Not seen here' },
]

function Species({ value: first = [], ...rest }: Partial<Omit<MultiSelectProps<string>, 'onChange'>>) {
  const [value, setValue] = useState(first)
  return (
    <MultiSelect
      options={species}
      {...rest}
      aria-label="Species"
      value={value}
      onChange={(next) => {
        changed(next)
        setValue(next)
      }}
    />
  )
}
const field = page.getByRole('combobox', { name: 'Species' })
const list = page.getByRole('listbox', { name: 'Species' })
const option = (name: string) => page.getByRole('option', { name })
const labels = () =>
  page
    .getByRole('option')
    .elements()
    .map((element) => element.textContent)
const paste = (text: string) => {
  const clipboardData = new DataTransfer()
  clipboardData.setData('text', text)
  return field.element().dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
}

it('stays open while several are picked, and a second pick takes one back', async () => {
  await show(<Species />)
  await field.click()
  await expect.element(list).toHaveAttribute('aria-multiselectable', 'true')
  await option('Adelie').click()
  await option('Gentoo').click()
  await expect.element(option('Gentoo')).toHaveAttribute('aria-selected', 'true')
  await option('Adelie').click()
  expect(changed.mock.calls).toEqual([[['a']], [['a', 'g']], [['g']]])
  await expect.element(list).toBeVisible()
})

it('is filled by keys: what was typed goes with each pick, Backspace takes the last one', async () => {
  await show(<Species />)
  await userEvent.tab()
  await userEvent.keyboard('gen{Enter}')
  await expect.element(field).toHaveValue('')
  await userEvent.keyboard('chi{Enter}')
  await userEvent.keyboard('x{Backspace}')
  expect(changed).toHaveBeenLastCalledWith(['g', 'c'])
  await userEvent.keyboard('{Backspace}')
  expect(changed).toHaveBeenLastCalledWith(['g'])
})

it('loses one by its cross and all by the one at its end', async () => {
  await show(<Species value={['a', 'c', 'g']} />)
  await page.getByRole('button', { name: 'Remove Chinstrap' }).click()
  expect(changed).toHaveBeenLastCalledWith(['a', 'g'])
  await page.getByRole('button', { name: 'Clear all' }).click()
  expect(changed).toHaveBeenLastCalledWith([])
  await expect.element(list).not.toBeInTheDocument()
})

it('an option that is off is picked neither by a click nor by Enter', async () => {
  await show(<Species />)
  await field.click()
  await option('Emperor').click({ force: true })
  await userEvent.keyboard('emp{Enter}')
  expect(changed).not.toHaveBeenCalled()
})

it('a pasted list adds what it names, whatever its case, once', async () => {
  await show(<Species value={['a']} />)
  await field.click()
  expect(paste('adelie, GENTOO;dodo\ngentoo')).toBe(false)
  expect(changed.mock.calls).toEqual([[['a', 'g']]])
})

it('a single pasted word is typed text', async () => {
  await show(<Species />)
  await field.click()
  expect(paste('gentoo')).toBe(true)
  expect(changed).not.toHaveBeenCalled()
})

it('takes typed and pasted text as values where that is allowed', async () => {
  await show(<Species freeText />)
  await field.click()
  await userEvent.keyboard('dodo{Enter}')
  await userEvent.keyboard('moa,')
  expect(changed).toHaveBeenLastCalledWith(['dodo', 'moa'])
  await expect.element(field).toHaveValue('')
  paste('Gentoo\tkiwi')
  expect(changed).toHaveBeenLastCalledWith(['dodo', 'moa', 'g', 'kiwi'])
  await expect.element(page.getByRole('button', { name: 'Remove kiwi' })).toBeVisible()
})

it('typed text stands behind the values that a server knows, and is taken where it knows none', async () => {
  const load = async (search: string) => {
    const options = species.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
    return { options, count: options.length }
  }
  await show(<Species freeText options={undefined} load={load} />)
  await field.fill('gen')
  await expect.poll(labels).toEqual(['Gentoo', 'Use gen'])
  await userEvent.keyboard('{Enter}')
  await field.fill('dodo')
  await expect.poll(labels).toEqual(['Use dodo'])
  await option('Use dodo').click()
  expect(changed).toHaveBeenLastCalledWith(['g', 'dodo'])
})

it('takes all that fit the typed text and are not off', async () => {
  await show(<Species selectAll value={['c']} />)
  await field.click()
  await page.getByRole('button', { name: 'Select all (2)' }).click()
  expect(changed).toHaveBeenLastCalledWith(['c', 'a', 'g'])
  await expect.element(page.getByRole('button', { name: /^Select all/ })).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Clear all' }).click()
  await field.fill('e')
  expect(labels()).toEqual(['Adelie', 'Gentoo', 'Emperor'])
  await page.getByRole('button', { name: 'Select all (2)' }).click()
  expect(changed).toHaveBeenLastCalledWith(['a', 'g'])
})

it('shows eight while it is closed and how many more there are, and all while it is open', async () => {
  const value = Array.from({ length: 11 }, (_, at) => `bird ${at}`)
  await show(<Species value={value} labelOf={(one) => `The ${one}`} />)
  const crosses = page.getByRole('button', { name: /^Remove The bird/ })
  await expect.element(crosses).toHaveLength(8)
  await expect.element(page.getByText('+3')).toBeVisible()
  await field.click()
  await expect.element(crosses).toHaveLength(11)
  await expect.element(page.getByText('+3')).not.toBeInTheDocument()
})

it('regression: Enter picks what was typed while the list is still that of an earlier text', async () => {
  const load = (search: string) =>
    search ? new Promise<never>(() => undefined) : Promise.resolve({ options: species, count: species.length })
  await show(<Species load={load} />)
  await field.click()
  await expect.element(option('Adelie')).toBeVisible()
  // However long the keys take, the options of what was typed are not asked for before.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await userEvent.keyboard('gen{Enter}')
  expect(changed.mock.calls).toEqual([[['g']]])
})
