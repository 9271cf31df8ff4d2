import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { TextInput } from '../fields/TextInput.tsx'
import { show } from '../show.testing.tsx'
import { ListTable, type ListTableProps, type ListSort } from './ListTable.tsx'

interface Chart {
  id: number
  name: string
  owner: string
}
const charts: Chart[] = ['Births', 'Deaths', 'Flights', 'Penguins', 'Weather'].map((name, index) => ({
  id: index + 10,
  name,
  owner: 'Ann',
}))
const onSort = vi.fn<(sort: ListSort) => void>()
const onSelect = vi.fn<(ids: number[]) => void>()
beforeEach(() => {
  onSort.mockClear()
  onSelect.mockClear()
})

function Charts(props: Partial<ListTableProps<Chart>>) {
  const [selected, setSelected] = useState<ReadonlySet<number>>(new Set())
  const [search, setSearch] = useState('flights')
  return (
    <>
      <TextInput aria-label="Search" value={search} onChange={setSearch} />
      <ListTable
        label="Charts"
        rows={charts}
        rowKey={({ id }) => id}
        nameHeader="Name"
        nameOrder="slice_name"
        nameOf={({ name }) => name}
        hrefOf={({ id }) => `/chart/${id}`}
        columns={[{ id: 'owner', header: 'Owner', cell: ({ owner }) => owner }]}
        sort={{ column: 'slice_name', direction: 'asc' }}
        onSort={onSort}
        selected={selected}
        onSelect={(ids) => {
          onSelect([...ids].toSorted((a, b) => a - b))
          setSelected(ids)
        }}
        {...props}
      />
    </>
  )
}
const link = (name: string) => page.getByRole('link', { name })
const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}` })
const all = page.getByRole('checkbox', { name: 'Select all rows on this page' })

it('headers show the sort order and reverse it; columns without an order have a plain header', async () => {
  const { rerender } = await show(<Charts />)
  const name = page.getByRole('columnheader', { name: 'Name' })
  await expect.element(name).toHaveAttribute('aria-sort', 'ascending')
  await name.getByRole('button').click()
  await rerender(<Charts sort={{ column: 'changed_on', direction: 'desc' }} />)
  await expect.element(name).not.toHaveAttribute('aria-sort')
  await name.getByRole('button').click()
  expect(onSort.mock.calls.flat().map(({ direction }) => direction)).toEqual(['desc', 'asc'])
  await expect.element(page.getByRole('columnheader', { name: 'Owner' }).getByRole('button')).not.toBeInTheDocument()
})

it('J, K and the arrows move between the names and stop at the ends', async () => {
  await show(<Charts />)
  for (const [key, name] of [
    ['j', 'Births'],
    ['j', 'Deaths'],
    ['k', 'Births'],
    ['k', 'Births'],
    ['{ArrowDown}', 'Deaths'],
    ['jjjjj', 'Weather'],
    ['{ArrowDown}', 'Weather'],
    ['{ArrowUp}', 'Penguins'],
  ] as const) {
    await userEvent.keyboard(key)
    await expect.element(link(name)).toHaveFocus()
  }
})

it('Space selects, Shift-arrows add the next row, Shift-Space selects the range', async () => {
  await show(<Charts />)
  await userEvent.keyboard('j ')
  await userEvent.keyboard('{Shift>}{ArrowDown}{/Shift}')
  expect(onSelect).toHaveBeenLastCalledWith([10, 11])
  await expect.element(link('Deaths')).toHaveFocus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{Shift>} {/Shift}')
  expect(onSelect).toHaveBeenLastCalledWith([10, 11, 12, 13])
  await userEvent.keyboard(' ')
  expect(onSelect).toHaveBeenLastCalledWith([10, 11, 12])
  await expect.element(page.getByRole('row', { name: /Flights/ })).toHaveAttribute('aria-selected', 'true')
})

it('Space previews a row if possible, and Shift-Space still selects it', async () => {
  const onPreview = vi.fn()
  await show(<Charts onPreview={onPreview} />)
  await userEvent.keyboard('jj ')
  expect(onPreview.mock.calls).toEqual([[charts[1]]])
  expect(onSelect).not.toHaveBeenCalled()
  await userEvent.keyboard('{Shift>} {/Shift}')
  expect(onSelect.mock.calls).toEqual([[[11]]])
})

it('a click on a checkbox selects, and with Shift the range from the last one', async () => {
  await show(<Charts />)
  await box('Weather').click()
  await box('Deaths').click({ modifiers: ['Shift'] })
  expect(onSelect).toHaveBeenLastCalledWith([11, 12, 13, 14])
  await box('Flights').click()
  expect(onSelect).toHaveBeenLastCalledWith([11, 13, 14])
  await expect.element(box('Penguins')).toBeChecked()
  await expect.element(box('Flights')).not.toBeChecked()
})

it('the header checkbox selects and clears the page, and is mixed for a partial selection', async () => {
  await show(<Charts />)
  await box('Births').click()
  await expect.element(all).toBePartiallyChecked()
  await all.click()
  await expect.element(all).toBeChecked()
  expect(onSelect).toHaveBeenLastCalledWith([10, 11, 12, 13, 14])
  await all.click()
  expect(onSelect).toHaveBeenLastCalledWith([])
})

it('Ctrl-A selects all rows of the page', async () => {
  await show(<Charts />)
  await userEvent.keyboard('j{Control>}a{/Control}')
  expect(onSelect.mock.calls).toEqual([[[10, 11, 12, 13, 14]]])
})

it('regression: Ctrl-A in a field selects its text', async () => {
  await show(<Charts />)
  await page.getByRole('textbox', { name: 'Search' }).click()
  await userEvent.keyboard('{Control>}a{/Control}x')
  await expect.element(page.getByRole('textbox', { name: 'Search' })).toHaveValue('x')
  expect(onSelect).not.toHaveBeenCalled()
})

it('a single key acts on the focused row, and on none without focus', async () => {
  const run = vi.fn()
  await show(<Charts actions={[{ id: 'list.star', label: 'Toggle favorite', shortcut: 'S', run }]} />)
  await userEvent.keyboard('s')
  expect(run).not.toHaveBeenCalled()
  await userEvent.keyboard('jjs')
  expect(run.mock.calls).toEqual([[charts[1]]])
})

it('a row has its own menu, whose keys do not affect the list', async () => {
  const open = vi.fn()
  await show(<Charts menu={({ name }) => [{ label: `Open ${name}` }, { label: 'Share', onSelect: open }]} />)
  await page.getByRole('button', { name: 'Actions for Deaths' }).click()
  await expect.element(page.getByRole('menuitem', { name: 'Open Deaths' })).toBeVisible()
  await userEvent.keyboard('s{Enter}')
  expect(open).toHaveBeenCalledOnce()
  expect(onSelect).not.toHaveBeenCalled()
})
