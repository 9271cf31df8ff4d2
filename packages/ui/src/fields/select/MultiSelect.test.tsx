import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
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

it('stays open while picking, and a second pick removes the value', async () => {
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

it('works by keyboard: each pick clears the typed text, Backspace removes the last value', async () => {
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

it('removes a value by its button and all by "Clear all"', async () => {
  await show(<Species value={['a', 'c', 'g']} />)
  await page.getByRole('button', { name: 'Remove Chinstrap' }).click()
  expect(changed).toHaveBeenLastCalledWith(['a', 'g'])
  await page.getByRole('button', { name: 'Clear all' }).click()
  expect(changed).toHaveBeenLastCalledWith([])
  await expect.element(list).not.toBeInTheDocument()
})

it('does not pick a disabled option by click or Enter', async () => {
  await show(<Species />)
  await field.click()
  await option('Emperor').click({ force: true })
  await userEvent.keyboard('emp{Enter}')
  expect(changed).not.toHaveBeenCalled()
})

it('pasting a list adds matching options once, ignoring case', async () => {
  await show(<Species value={['a']} />)
  await field.click()
  expect(paste('adelie, GENTOO;dodo\ngentoo')).toBe(false)
  expect(changed.mock.calls).toEqual([[['a', 'g']]])
})

it('treats a single pasted word as typed text', async () => {
  await show(<Species />)
  await field.click()
  expect(paste('gentoo')).toBe(true)
  expect(changed).not.toHaveBeenCalled()
})

it('accepts typed and pasted text as values if free text is allowed', async () => {
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

it('shows typed text in the list with the label of its caller', async () => {
  const freeText = { read: (text: string) => (text === 'no' ? null : text), label: (value: string) => `New: ${value}` }
  await show(<Species freeText={freeText} options={undefined} load={async () => ({ options: [], count: 0 })} />)
  await field.fill('dodo')
  await expect.poll(labels).toEqual(['New: dodo'])
  await field.fill('no')
  await expect.poll(labels).toEqual([])
})

it('says why a typed text is no value, and adds one that is when the field loses the focus', async () => {
  const read = (text: string) => (text.includes('@') ? text : null)
  const freeText = { read, label: String, invalid: 'Not an address', addsOnBlur: true }
  await show(<Species freeText={freeText} options={[]} nothing="Type an address" />)
  await field.click()
  await expect.element(page.getByText('Type an address')).toBeVisible()
  await userEvent.keyboard('ana')
  await expect.element(page.getByText('Not an address')).toBeVisible()
  await userEvent.keyboard('@example.com{Tab}')
  expect(changed.mock.calls).toEqual([[['ana@example.com']]])
  await field.click()
  await userEvent.keyboard('bo{Tab}')
  await field.click()
  await userEvent.keyboard('bo@example.com{Escape}{Tab}')
  expect(changed).toHaveBeenCalledOnce()
})

it('offers typed text after the options of the server, or alone if there are none', async () => {
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

it('selects all enabled options that match the typed text', async () => {
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

describe('a list that contains only some of the options', () => {
  const all = Array.from({ length: 30 }, (_, index): Option => ({ value: `t${index}`, label: `Tern ${index}` }))
  const load = async (search: string) => {
    const options = all.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
    return { options: options.slice(0, 10), count: Math.min(10, options.length), isCut: options.length > 10 }
  }
  const list = (loadAll?: (search: string) => Promise<{ options: Option[]; count: number; isCut?: boolean }>) =>
    show(<Species selectAll options={undefined} load={load} {...(loadAll && { loadAll })} />)

  it('regression: "Select all" says that the list is cut, and offers all matching options', async () => {
    const searches: string[] = []
    await list(async (search) => {
      searches.push(search)
      const options = all.filter(({ label }) => label.toLowerCase().includes(search.toLowerCase()))
      return { options, count: options.length }
    })
    await field.click()
    await expect.element(page.getByText('Showing the first 10. Type to find more.')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /^Select all \(/ })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Select the 10 in this list' }).click()
    expect(changed).toHaveBeenLastCalledWith(all.slice(0, 10).map(({ value }) => value))
    await page.getByRole('button', { name: 'Clear all' }).click()
    await field.fill('tern 1')
    await expect.element(option('Tern 19')).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Select all matching' }).click()
    const matching = [1, ...Array.from({ length: 10 }, (_, index) => 10 + index)].map((index) => `t${index}`)
    await expect.poll(() => changed.mock.lastCall).toEqual([matching])
    expect(searches).toEqual(['tern 1'])
  })

  it('selects nothing if too many match or they cannot be loaded, and says why', async () => {
    const answers = [
      async () => ({ options: all, count: 30, isCut: true }),
      () => Promise.reject(new Error('the database is away')),
    ]
    await list(() => answers.shift()!())
    await field.click()
    const button = page.getByRole('button', { name: 'Select all matching' })
    await button.click()
    await expect.element(page.getByText('More than 30 match. Type to find fewer.')).toBeVisible()
    await button.click()
    await expect.element(page.getByText('Error while fetching data: the database is away')).toBeVisible()
    expect(changed).not.toHaveBeenCalled()
  })
})

it('shows eight values and the number of others while closed, and all while open', async () => {
  const value = Array.from({ length: 11 }, (_, index) => `bird ${index}`)
  await show(<Species value={value} labelOf={(one) => `The ${one}`} />)
  const crosses = page.getByRole('button', { name: /^Remove The bird/ })
  await expect.element(crosses).toHaveLength(8)
  await expect.element(page.getByText('+3')).toBeVisible()
  await field.click()
  await expect.element(crosses).toHaveLength(11)
  await expect.element(page.getByText('+3')).not.toBeInTheDocument()
})

it('regression: Enter picks the option for the typed text while the list still shows an earlier one', async () => {
  const load = (search: string) =>
    search ? new Promise<never>(() => undefined) : Promise.resolve({ options: species, count: species.length })
  await show(<Species load={load} />)
  await field.click()
  await expect.element(option('Adelie')).toBeVisible()
  // With fake timers, the options for the typed text are not requested, no matter how long typing takes.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await userEvent.keyboard('gen{Enter}')
  expect(changed.mock.calls).toEqual([[['g']]])
})
