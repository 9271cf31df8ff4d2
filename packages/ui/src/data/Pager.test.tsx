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

it('goes to a page by number, to the next and to the previous one', async () => {
  await show(pager(4, 1000))
  await expect.element(button('Page 5')).toHaveAttribute('aria-current', 'page')
  await button('Page 6').click()
  await button('Page 40').click()
  await button('Previous page').click()
  await button('Next page').click()
  expect(onPage.mock.calls.flat()).toEqual([5, 39, 3, 5])
})

it('explains that there is no page beyond the first and the last', async () => {
  const { rerender } = await show(pager(0, 60))
  await expect.element(button('Previous page')).toHaveAccessibleDescription(/This is the first page/)
  await button('Previous page').click({ force: true })
  await rerender(pager(2, 60))
  await expect.element(button('Next page')).toHaveAccessibleDescription(/This is the last page/)
  await button('Next page').click({ force: true })
  expect(onPage).not.toHaveBeenCalled()
})

it('is hidden for a single page, as is the page size when the smallest fits all rows', async () => {
  const { rerender } = await show(pager(0, 26))
  await expect.element(page.getByRole('navigation', { name: 'Pagination' })).toBeVisible()
  await rerender(pager(0, 25))
  await expect.element(page.getByRole('navigation')).not.toBeInTheDocument()
  await expect.element(page.getByRole('button')).not.toBeInTheDocument()
})

it('changes the page size by keyboard', async () => {
  await show(pager(0, 60))
  await button('Rows per page: 25').click()
  await expect.element(page.getByRole('menuitemradio', { name: '25' })).toBeChecked()
  await userEvent.keyboard('1{Enter}')
  expect(onPageSize.mock.calls).toEqual([[100]])
})
