import { beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { Pager } from './Pager.tsx'

const onPage = vi.fn()
const onPageSize = vi.fn()
beforeEach(() => {
  onPage.mockClear()
  onPageSize.mockClear()
})
const pager = (open: number, count: number) => (
  <Pager page={open} pageSize={25} count={count} onPage={onPage} onPageSize={onPageSize} />
)
const button = (name: string) => page.getByRole('button', { name, exact: true })

it('goes to a page by its number, forth and back', async () => {
  await show(pager(4, 1000))
  await expect.element(button('Page 5')).toHaveAttribute('aria-current', 'page')
  await button('Page 6').click()
  await button('Page 40').click()
  await button('Previous page').click()
  await button('Next page').click()
  expect(onPage.mock.calls.flat()).toEqual([5, 39, 3, 5])
})

it('does not go beyond its ends, and says so', async () => {
  const { rerender } = await show(pager(0, 60))
  await expect.element(button('Previous page')).toHaveAccessibleDescription(/This is the first page/)
  await button('Previous page').click({ force: true })
  await rerender(pager(2, 60))
  await expect.element(button('Next page')).toHaveAccessibleDescription(/This is the last page/)
  await button('Next page').click({ force: true })
  expect(onPage).not.toHaveBeenCalled()
})

it('is not there for a single page, nor the number of rows where the smallest holds all', async () => {
  const { rerender } = await show(pager(0, 26))
  await expect.element(page.getByRole('navigation', { name: 'Pagination' })).toBeVisible()
  await rerender(pager(0, 25))
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

it('chooses how many rows a page has, by keys', async () => {
  await show(pager(0, 60))
  await button('Rows per page: 25').click()
  await expect.element(page.getByRole('menuitemradio', { name: '25' })).toBeChecked()
  await userEvent.keyboard('1{Enter}')
  expect(onPageSize.mock.calls).toEqual([[100]])
})
