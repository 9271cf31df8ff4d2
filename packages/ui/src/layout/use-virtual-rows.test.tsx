import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { page } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { useVirtualRows } from './use-virtual-rows.ts'

const rowHeight = 20

function LongList() {
  const [scroller, setScroller] = useState<HTMLDivElement | null>(null)
  const rows = useVirtualRows(scroller, { count: 1000, rowHeight })
  return (
    <div ref={setScroller} data-testid="list" style={{ height: 600, overflow: 'auto' }}>
      <div style={{ height: rows.height }}>
        {Array.from({ length: rows.last - rows.first }, (_, index) => (
          <p key={rows.first + index} style={{ height: rowHeight, margin: 0 }}>
            Row {rows.first + index}
          </p>
        ))}
      </div>
    </div>
  )
}

it('renders the visible rows and ten beyond', async () => {
  await show(<LongList />)
  await expect.element(page.getByText('Row 39', { exact: true })).toBeInTheDocument()
  expect(page.getByText('Row 40', { exact: true }).elements()).toHaveLength(0)
  page.getByTestId('list').element().scrollTop = 10_000
  await expect.element(page.getByText('Row 530', { exact: true })).toBeInTheDocument()
  expect(page.getByText('Row 0', { exact: true }).elements()).toHaveLength(0)
})

it('regression: creating a list does not force a layout of the page', async () => {
  let isLaidOut = false
  requestAnimationFrame(() => (isLaidOut = true))
  const reads = vi.spyOn(Element.prototype, 'clientHeight', 'get').mockImplementation(() => {
    if (!isLaidOut) throw new Error('the list asked for its size while the page was being changed')
    return 600
  })
  try {
    await show(<LongList />)
    await expect.element(page.getByText('Row 39', { exact: true })).toBeInTheDocument()
    expect(reads).toHaveBeenCalled()
  } finally {
    reads.mockRestore()
  }
})
