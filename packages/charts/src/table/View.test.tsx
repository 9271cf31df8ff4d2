import { buildFrame, type Frame } from '@parquetry/frame'
import { show } from '@parquetry/ui/show.testing.tsx'
import { useState } from 'react'
import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ChartHost } from '../views/index.tsx'

const states = vi.fn()
beforeEach(() => states.mockClear())

const rows = buildFrame({ city: ['Paris', 'Lyon', 'Kyoto'], country: ['France', 'France', 'Japan'], n: [3, 5, 1] })

function Table({ form, frames }: { form: object; frames: Record<string, Frame> }) {
  const [state, setState] = useState<Record<string, unknown>>({})
  return (
    <div style={{ width: 480, height: 300 }}>
      <ChartHost
        form={{ viz_type: 'table', groupby: ['city', 'country'], metrics: ['n'], ...form }}
        frames={frames}
        title="Cities"
        state={state}
        onState={(next) => {
          states(next)
          setState(next)
        }}
      />
    </div>
  )
}
const column = (index: number) =>
  page
    .getByRole('gridcell')
    .elements()
    .filter((cell) => cell.getAttribute('aria-colindex') === String(index + 1))
    .map(({ textContent }) => textContent)
const heading = (name: string) => page.getByRole('columnheader', { name })

it('regression: does not outline the first cell before the grid is focused', async () => {
  await show(<Table form={{}} frames={{ rows }} />)
  await expect.element(page.getByRole('grid')).toBeVisible()
  const grid = page.getByRole('grid').element() as HTMLElement
  const outline = () => getComputedStyle(grid.querySelector('[data-cursor]')!).outlineStyle
  expect(outline()).toBe('none')
  grid.focus()
  await vi.waitFor(() => expect(outline()).toBe('solid'))
  grid.blur()
  expect(outline()).toBe('solid')
})

it('renders only visible rows until the pointer is near, and has rows rendered after scrolling', async () => {
  const many = buildFrame({ city: Array.from({ length: 500 }, (_, index) => `City ${index}`) })
  await userEvent.hover(document.documentElement, { position: { x: 900, y: 700 } })
  await show(<Table form={{ groupby: ['city'], metrics: [] }} frames={{ rows: many }} />)
  await expect.element(page.getByRole('gridcell', { name: 'City 0' })).toBeVisible()
  const grid = page.getByRole('grid').element()
  const drawn = () => [...grid.querySelectorAll('[data-row]')]
  const bottom = () => grid.getBoundingClientRect().bottom
  const below = () => drawn().filter((row) => row.getBoundingClientRect().top >= bottom()).length
  const untouched = drawn().length
  expect(below()).toBe(0)
  expect(drawn().at(-1)!.getBoundingClientRect().bottom).toBeGreaterThanOrEqual(bottom() - 1)
  await userEvent.hover(grid)
  await expect.poll(() => drawn().length).toBeGreaterThan(untouched + 5)
  grid.scrollTo({ top: grid.scrollHeight })
  await expect.element(page.getByRole('gridcell', { name: 'City 499' })).toBeVisible()
})

it('renders only visible columns until it is scrolled to others', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Column ${index}`)
  const wide = buildFrame(Object.fromEntries(names.map((name) => [name, [1]])))
  await userEvent.hover(document.documentElement, { position: { x: 900, y: 700 } })
  await show(<Table form={{ groupby: [], metrics: names }} frames={{ rows: wide }} />)
  await expect.element(heading('Column 0')).toBeVisible()
  const grid = page.getByRole('grid').element()
  const right = () => grid.getBoundingClientRect().right
  const edges = () => [...grid.querySelectorAll('[role=columnheader]')].map((head) => head.getBoundingClientRect())
  expect(edges().every(({ left }) => left < right())).toBe(true)
  expect(Math.max(...edges().map((head) => head.right))).toBeGreaterThanOrEqual(right() - 1)
  grid.scrollTo({ left: grid.scrollWidth })
  await expect.element(heading('Column 39')).toBeVisible()
})

it('sorts by a heading, and with Shift by an additional one', async () => {
  await show(<Table form={{}} frames={{ rows }} />)
  await heading('country').click()
  await expect.poll(() => column(0)).toEqual(['Paris', 'Lyon', 'Kyoto'])
  await heading('n').click({ modifiers: ['Shift'] })
  await heading('n').click({ modifiers: ['Shift'] })
  await expect.poll(() => column(0)).toEqual(['Lyon', 'Paris', 'Kyoto'])
  await expect.element(heading('country')).toHaveAttribute('aria-sort', 'ascending')
  await expect.element(heading('n')).toHaveAttribute('aria-sort', 'descending')
})

const paged = { server_pagination: true, server_page_length: 3, include_search: true }
const count = buildFrame({ rowcount: [9] })

it('a paged table leaves paging, sorting and search to the server', async () => {
  await show(<Table form={paged} frames={{ rows, count }} />)
  await heading('n').click()
  await heading('city').click({ modifiers: ['Shift'] })
  expect(states).toHaveBeenLastCalledWith({
    currentPage: 0,
    sortBy: [
      { key: 'n', desc: false },
      { key: 'city', desc: false },
    ],
  })
  expect(column(0)).toEqual(['Paris', 'Lyon', 'Kyoto'])
  await page.getByRole('button', { name: 'Next page' }).click()
  expect(states).toHaveBeenLastCalledWith(expect.objectContaining({ currentPage: 1 }))
  await userEvent.type(page.getByPlaceholder('Search rows'), 'yo')
  await expect
    .poll(() => states.mock.lastCall)
    .toEqual([expect.objectContaining({ currentPage: 0, searchText: 'yo', searchColumn: 'city' })])
})

it('regression: keeps the search box when a search finds no rows', async () => {
  const none = buildFrame({ city: [], country: [], n: [] })
  const { rerender } = await show(<Table form={paged} frames={{ rows, count }} />)
  await userEvent.type(page.getByPlaceholder('Search rows'), 'zz')
  await expect.poll(() => states).toHaveBeenCalled()
  await rerender(<Table form={paged} frames={{ rows: none, count: buildFrame({ rowcount: [0] }) }} />)
  await expect.element(page.getByText('No rows match your search.')).toBeVisible()
  await expect.element(page.getByPlaceholder('Search rows')).toHaveValue('zz')
})

it('labels the last row as a total and keeps the first columns visible', async () => {
  const totals = buildFrame({ n: [9] })
  const wide = { column_config: { city: { columnWidth: 150 }, country: { columnWidth: 600 }, n: { columnWidth: 300 } } }
  await show(<Table form={{ show_totals: true, frozen_columns: 1, ...wide }} frames={{ rows, totals }} />)
  const total = page.getByText('Total', { exact: true })
  await expect.element(total).toBeVisible()
  const grid = page.getByRole('grid').element()
  const before = total.element().getBoundingClientRect().left
  grid.scrollTo({ left: 400 })
  await expect.poll(() => grid.scrollLeft).toBe(400)
  expect(total.element().getBoundingClientRect().left).toBe(before)
  expect(page.getByRole('gridcell', { name: 'Paris' }).element().getBoundingClientRect().left).toBe(before)
})

it('shows HTML as text, or as sanitized HTML if the form allows it', async () => {
  const html = buildFrame({
    city: ['<a href="https://example.com/">Paris</a>', '<a href="javascript:alert(1)" onclick="x()">Lyon</a>'],
  })
  const { rerender } = await show(<Table form={{ groupby: ['city'], metrics: [] }} frames={{ rows: html }} />)
  await expect.element(page.getByText('<a href="https://example.com/">Paris</a>')).toBeVisible()
  await rerender(<Table form={{ groupby: ['city'], metrics: [], allow_render_html: true }} frames={{ rows: html }} />)
  await expect.element(page.getByRole('link', { name: 'Paris' })).toHaveAttribute('href', 'https://example.com/')
  await expect.element(page.getByText('Lyon')).toBeVisible()
  expect(page.getByText('Lyon').element().outerHTML).toBe('<a rel="noreferrer">Lyon</a>')
})

it('regression: a text that is the address of a web page is a link that opens in a new tab', async () => {
  const values = [
    'https://example.org/a?b=1#c',
    'see https://example.org',
    'javascript:alert(1)',
    'https://',
    'http://localhost:8088/',
  ]
  await show(<Table form={{ groupby: ['text'], metrics: [] }} frames={{ rows: buildFrame({ text: values }) }} />)
  const opened: string[] = []
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a')
    if (link) opened.push(`${link.href} ${link.target} ${link.rel}`)
    event.preventDefault()
  }
  document.addEventListener('click', follow)
  await page.getByRole('link', { name: 'https://example.org/a?b=1#c' }).click()
  document.removeEventListener('click', follow)
  expect(opened).toEqual(['https://example.org/a?b=1#c _blank noopener noreferrer'])
  const links = page.getByRole('link').elements()
  expect(links.map(({ textContent }) => textContent)).toEqual([values[0], values[4]])
})

it('C062: texts that are not HTML stay whole, and links open in a new tab', async () => {
  const values = [
    '<b>bold</b>',
    '<img src=x onerror=alert(1)>',
    '<a href="https://example.org/">ok</a>',
    '<a href="javascript:alert(1)">no</a>',
    '{"a": [1, 2]}',
    'a < b & c > d',
    '<3',
  ]
  const frame = buildFrame({ text: values })
  const cells = () => page.getByRole('gridcell').elements()
  const { rerender } = await show(<Table form={{ groupby: ['text'], metrics: [] }} frames={{ rows: frame }} />)
  await expect.poll(() => cells().map(({ textContent }) => textContent)).toEqual(values)
  const opened: string[] = []
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest('a')
    if (link) opened.push(`${link.href} ${link.target} ${link.rel}`)
    event.preventDefault()
  }
  document.addEventListener('click', follow)
  await rerender(<Table form={{ groupby: ['text'], metrics: [], allow_render_html: true }} frames={{ rows: frame }} />)
  const shown = ['bold', '', 'ok', 'no', '{"a": [1, 2]}', 'a < b & c > d', '<3']
  await expect.poll(() => cells().map(({ textContent }) => textContent)).toEqual(shown)
  expect(document.querySelector('[onerror]')).toBeNull()
  await page.getByRole('link', { name: 'ok' }).click()
  document.removeEventListener('click', follow)
  expect(opened).toEqual(['https://example.org/ _blank noopener noreferrer'])
  expect(page.getByRole('link').elements()).toHaveLength(1)
})

it('columns can be resized by pointer and keyboard without sorting', async () => {
  await show(<Table form={{}} frames={{ rows }} />)
  const width = (name: string) => heading(name).element().getBoundingClientRect().width
  await expect.element(heading('city')).toBeVisible()
  const before = width('city')
  const { right, top } = heading('city').element().getBoundingClientRect()
  const grip = heading('city').element().lastElementChild!
  const at = (type: string, clientX: number) =>
    grip.dispatchEvent(new PointerEvent(type, { bubbles: true, pointerId: 1, clientX, clientY: top + 9 }))
  grip.setPointerCapture = () => undefined
  at('pointerdown', right - 3)
  at('pointermove', right + 57)
  at('pointerup', right + 57)
  await expect.poll(() => width('city')).toBeCloseTo(before + 60, 0)
  await expect.element(heading('city')).toHaveAttribute('aria-sort', 'none')
  page.getByRole('grid').element().focus()
  await userEvent.keyboard('{Alt>}{Shift>}{ArrowLeft}{/Shift}{/Alt}')
  await expect.poll(() => width('city')).toBeCloseTo(before + 44, 0)
})

it('copies all matching rows in their current order with headings', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'write').mockResolvedValue()
  const labels = { column_config: { n: { customColumnName: 'People' } } }
  await show(<Table form={{ include_search: true, page_length: 1, ...labels }} frames={{ rows }} />)
  await userEvent.type(page.getByPlaceholder('Search rows'), 'France')
  const sorted = async (way: string) => {
    ;(heading('People').element() as HTMLElement).click()
    await expect.element(heading('People')).toHaveAttribute('aria-sort', way)
  }
  await sorted('ascending')
  await sorted('descending')
  await page.getByRole('button', { name: 'Copy all rows' }).click()
  await expect.poll(() => copied.mock.calls.length).toBe(1)
  const [[item]] = copied.mock.calls[0]!
  const text = await (await item!.getType('text/plain')).text()
  expect(text).toBe('city\tcountry\tPeople\nLyon\tFrance\t5\nParis\tFrance\t3')
  copied.mockRestore()
})

it('NATF-024: fades the rows outside of the marks that filter other charts', async () => {
  await show(
    <div style={{ width: 480, height: 300 }}>
      <ChartHost
        form={{ viz_type: 'table', groupby: ['city', 'country'], metrics: ['n'] }}
        frames={{ rows }}
        title="Cities"
        selected={{ city: ['Paris', 'Kyoto'] }}
      />
    </div>,
  )
  await expect.element(page.getByRole('grid')).toBeVisible()
  const cells = page.getByRole('gridcell').elements()
  const faded = cells.filter((cell) => Number(getComputedStyle(cell).opacity) < 1)
  expect(faded.map(({ textContent }) => textContent)).toEqual(['Lyon', 'France', '5'])
})
