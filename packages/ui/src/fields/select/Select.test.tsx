import { useState } from 'react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../../show.testing.tsx'
import type { LoadOptions, Option } from './options.ts'
import { Select, type SelectProps } from './Select.tsx'

const changed = vi.fn<(value: string | null) => void>()
beforeEach(() => void changed.mockClear())
afterEach(() => void vi.useRealTimers())

const grains: Option[] = [
  { value: 'PT1H', label: 'Hour' },
  { value: 'P1D', label: 'Day' },
  { value: 'P1M', label: 'Month' },
  { value: 'P1Y', label: 'Year', disabledReason: 'The data is of one year' },
]
const numbered = (from: number, count: number): Option[] =>
  Array.from({ length: count }, (_, index) => ({ value: `t${from + index}`, label: `Table ${from + index}` }))

function Grain({ value: first = null, ...rest }: Partial<Omit<SelectProps<string>, 'onChange'>>) {
  const [value, setValue] = useState<string | null>(first)
  return (
    <Select
      {...(!rest.load && { options: grains })}
      {...rest}
      aria-label="Grain"
      value={value}
      onChange={(next) => {
        changed(next)
        setValue(next)
      }}
    />
  )
}
const field = page.getByRole('combobox', { name: 'Grain' })
const list = page.getByRole('listbox', { name: 'Grain' })
const option = (name: string) => page.getByRole('option', { name, exact: true })
const labels = () =>
  page
    .getByRole('option')
    .elements()
    .map((element) => element.textContent)
const status = page.getByRole('status').filter({ hasText: /\w/ })
/** Expects the field to announce this option as the active one. */
const expectMarked = (name: string) =>
  expect
    .poll(() => document.getElementById(field.element().getAttribute('aria-activedescendant') ?? '')?.textContent)
    .toBe(name)

it('opens with all options on click, and picks on click', async () => {
  await show(<Grain value="P1D" />)
  await expect.element(field).toHaveAttribute('aria-expanded', 'false')
  await field.click()
  await expect.element(field).toHaveAttribute('aria-expanded', 'true')
  expect(field.element().getAttribute('aria-controls')).toBe(list.element().id)
  expect(labels()).toEqual(['Hour', 'Day', 'Month', 'Year'])
  await expect.element(option('Day')).toHaveAttribute('aria-selected', 'true')
  await option('Month').click()
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('Month')
  expect(changed.mock.calls).toEqual([['P1M']])
})

it('opens at the value by arrow key, stops at the ends, and picks on Enter', async () => {
  await show(<Grain value="P1D" />)
  await userEvent.tab()
  await expect.element(list).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}')
  await expectMarked('Day')
  await userEvent.keyboard('{ArrowUp}{ArrowUp}')
  await expectMarked('Hour')
  await userEvent.keyboard('{PageDown}')
  await expectMarked('Year')
  await userEvent.keyboard('{ArrowUp}{Enter}')
  expect(changed.mock.calls).toEqual([['P1M']])
})

it('filters the list while typing and activates the first match', async () => {
  await show(<Grain />)
  await userEvent.tab()
  await userEvent.keyboard('o')
  await expect.element(list).toBeVisible()
  expect(labels()).toEqual(['Hour', 'Month'])
  await expectMarked('Hour')
  await userEvent.keyboard('n')
  await expectMarked('Month')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('Month')
})

it('shows that nothing matches; Enter then changes nothing and does not submit the form', async () => {
  const send = vi.fn((event: React.FormEvent) => event.preventDefault())
  await show(
    <form onSubmit={send}>
      <Grain />
    </form>,
  )
  await field.fill('week')
  await expect.element(status).toHaveTextContent('No matches')
  await userEvent.keyboard('{Enter}')
  expect([changed.mock.calls, send.mock.calls]).toEqual([[], []])
})

it('Esc and Tab restore the value', async () => {
  await show(<Grain value="P1D" />)
  await field.click()
  await userEvent.keyboard('mon{Escape}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(field).toHaveFocus()
  await expect.element(field).toHaveValue('Day')
  await field.click()
  await userEvent.keyboard('{Enter}mon{Tab}')
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(field).toHaveValue('Day')
  expect(changed).not.toHaveBeenCalled()
})

it('shows why an option is disabled, and does not pick it', async () => {
  await show(<Grain />)
  await field.click()
  await expect.element(option('Year')).toHaveAttribute('title', 'The data is of one year')
  await option('Year').click({ force: true })
  await userEvent.keyboard('year{Enter}')
  expect(changed).not.toHaveBeenCalled()
})

it('accepts typed text if free text is allowed', async () => {
  await show(<Grain freeText />)
  await field.fill(' P1W ')
  await userEvent.keyboard('{Enter}')
  expect(changed.mock.calls).toEqual([['P1W']])
  await expect.element(field).toHaveValue('P1W')
})

it('regression: Enter picks the typed text and not the first option that contains it', async () => {
  await show(<Grain freeText />)
  await field.fill('y')
  expect(labels()).toEqual(['Use y', 'Day', 'Year'])
  await expectMarked('Use y')
  await userEvent.keyboard('{Enter}')
  await expect.element(field).toHaveValue('y')
  await field.fill('month')
  expect(labels()).toEqual(['Month'])
  await field.fill('o')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(changed.mock.calls).toEqual([['y'], ['PT1H']])
})

it('accepts typed text only if it is a valid value', async () => {
  const isWeek = (text: string) => (/^P[0-9]+W$/.test(text) ? text : null)
  await show(<Grain freeText={isWeek} />)
  await field.fill('nothing')
  await userEvent.keyboard('{Enter}')
  expect(changed).not.toHaveBeenCalled()
  await field.fill('P2W')
  await option('Use P2W').click()
  expect(changed.mock.calls).toEqual([['P2W']])
})

it('regression: passes the typed text when an option is picked before the server has responded', async () => {
  const picked = vi.fn<SelectProps<string>['onChange']>()
  const all: Option[] = [{ value: 'new', label: '+ New' }]
  // Only the empty search gets a response.
  const load: LoadOptions<string> = (search) =>
    search ? new Promise(() => undefined) : Promise.resolve({ options: all, count: 1 })
  await show(<Select aria-label="Grain" value={null} onChange={picked} load={load} />)
  await field.click()
  await expect.element(option('+ New')).toBeVisible()
  await userEvent.keyboard(' Sales ')
  ;(option('+ New').element() as HTMLElement).click()
  expect(picked.mock.calls).toEqual([['new', all[0], 'Sales']])
})

it('is cleared by its button without opening', async () => {
  await show(<Grain value="P1D" clearable />)
  await page.getByRole('button', { name: 'Clear Grain' }).click()
  expect(changed.mock.calls).toEqual([[null]])
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

it('shows why it is disabled and does not open', async () => {
  await show(<Grain disabledReason="Choose a table first" clearable value="P1D" />)
  await expect.element(field).toBeDisabled()
  await expect.element(field).toHaveAccessibleDescription('Choose a table first')
  await field.click({ force: true })
  await expect.element(list).not.toBeInTheDocument()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

it('CTRL-019: renders only the visible rows of a long list, and announces its length', async () => {
  await show(<Grain options={numbered(0, 5000)} value="t4000" />)
  await userEvent.tab()
  await userEvent.keyboard('{ArrowDown}')
  await expectMarked('Table 4000')
  await expect.element(option('Table 4000')).toBeVisible()
  expect(labels().length).toBeLessThan(60)
  await expect.element(option('Table 4000')).toHaveAttribute('aria-setsize', '5000')
  await expect.element(option('Table 4000')).toHaveAttribute('aria-posinset', '4001')
})

it('queries the server on opening, and once 250 ms after the last key', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const searches: string[] = []
  const load: LoadOptions<string> = async (search) => {
    searches.push(search)
    return { options: [{ value: search, label: `About ${search}` }], count: 12 }
  }
  await show(<Grain load={load} />)
  expect(searches).toEqual([])
  await field.click()
  vi.advanceTimersByTime(0)
  await userEvent.keyboard('fl')
  vi.advanceTimersByTime(249)
  await userEvent.keyboard('i')
  vi.advanceTimersByTime(249)
  expect(searches).toEqual([''])
  vi.advanceTimersByTime(1)
  await expect.element(option('About fli')).toBeVisible()
  expect(searches).toEqual(['', 'fli'])
  await expect.element(status).toHaveTextContent('1 of 12')
})

it('loads the next page near the end of the list', async () => {
  const pages: number[] = []
  const load: LoadOptions<string> = async (_, index) => {
    pages.push(index)
    return { options: numbered(index * 50, 50), count: 100 }
  }
  await show(<Grain load={load} />)
  await field.click()
  await expect.element(option('Table 49')).toBeInTheDocument()
  list.element().scrollTop = list.element().scrollHeight
  await expect.element(option('Table 99')).toBeInTheDocument()
  list.element().scrollTop = list.element().scrollHeight
  await expect.element(option('Table 99')).toBeVisible()
  expect(pages).toEqual([0, 1])
})

it('ignores the response of a superseded search', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const answers = new Map<string, () => void>()
  const load: LoadOptions<string> = (search) =>
    new Promise((resolve) =>
      answers.set(search, () => resolve({ options: [{ value: search, label: `About ${search}` }], count: 1 })),
    )
  await show(<Grain load={load} />)
  await field.click()
  await userEvent.keyboard('old')
  vi.advanceTimersByTime(250)
  await userEvent.tripleClick(field)
  await userEvent.keyboard('new')
  vi.advanceTimersByTime(250)
  answers.get('new')?.()
  await expect.element(option('About new')).toBeVisible()
  answers.get('old')?.()
  await Promise.resolve()
  expect(labels()).toEqual(['About new'])
})

it('regression: keeps the typed text when its source becomes known, and reloads the options of another source', async () => {
  const load = (prefix: string): LoadOptions<string> => {
    return async (search) => ({ options: [{ value: search, label: `${prefix} ${search}` }], count: 1 })
  }
  const screen = await show(<Grain load={load('none')} source={null} />)
  await field.click()
  await userEvent.keyboard('air')
  await expect.element(status).toHaveTextContent('Loading…')
  await screen.rerender(<Grain load={load('here')} source="here" />)
  await expect.element(option('here air')).toBeVisible()
  await screen.rerender(<Grain load={load('there')} source="there" />)
  await expect.element(option('there air')).toBeVisible()
  expect(labels()).toEqual(['there air'])
})

it('CTRL-011: shows that it is loading, then the error in the list and as a toast', async () => {
  const failed = 'Error while fetching data: the database is away'
  const { promise, reject } = Promise.withResolvers<never>()
  const load: LoadOptions<string> = () => promise
  await show(<Grain load={load} />)
  await field.click()
  await expect.element(status).toHaveTextContent('Loading…')
  await expect.element(list).toHaveAttribute('aria-busy', 'true')
  reject(new Error('the database is away'))
  await expect.element(status.filter({ hasText: failed }).first()).toBeVisible()
  await expect.element(page.getByRole('alert')).toHaveTextContent(failed)
})

it('regression: Enter waits for the options of the typed text, and another key cancels it', async () => {
  const asked: ((page: { options: Option[]; count: number }) => void)[] = []
  const load: LoadOptions<string> = (search) =>
    search ? new Promise((resolve) => asked.push(resolve)) : Promise.resolve({ options: numbered(1, 3), count: 3 })
  await show(<Grain load={load} />)
  await field.click()
  await expect.element(option('Table 1')).toBeVisible()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  await userEvent.keyboard('hou{Enter}')
  vi.advanceTimersByTime(250)
  await expect.poll(() => asked.length).toBe(1)
  asked[0]!({ options: grains.slice(0, 1), count: 1 })
  await expect.poll(() => changed.mock.calls).toEqual([['PT1H']])

  await field.click()
  await userEvent.keyboard('mon{Enter}t')
  vi.advanceTimersByTime(250)
  await expect.poll(() => asked.length).toBe(2)
  asked[1]!({ options: grains.slice(2, 3), count: 1 })
  await expect.element(option('Month')).toBeVisible()
  expect(changed.mock.calls).toEqual([['PT1H']])
})
