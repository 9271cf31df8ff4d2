import { beforeEach, expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { show } from '../show.testing.tsx'
import { SplitPane, type SplitPaneProps } from './SplitPane.tsx'

beforeEach(() => localStorage.clear())

const panes = (props: Partial<SplitPaneProps> = {}) => (
  <div style={{ display: 'flex', width: 1000, height: 600 }}>
    <SplitPane
      name="editor"
      label="Size of the tree"
      size={300}
      min={200}
      max={500}
      first={<p data-testid="first">Tree</p>}
      second={<p data-testid="second">Editor</p>}
      {...props}
    />
  </div>
)
const handle = page.getByRole('separator', { name: 'Size of the tree' })
const box = (which: 'first' | 'second') => page.getByTestId(which).element().parentElement?.getBoundingClientRect()
const pressed = async (...keys: string[]) => {
  for (const key of keys) await userEvent.keyboard(`{${key}}`)
}

it('resizes with the arrow keys in steps of 16 px, within its limits', async () => {
  await show(panes())
  await userEvent.tab()
  await expect.element(handle).toHaveFocus()
  await pressed('ArrowRight', 'ArrowRight', 'ArrowLeft')
  await expect.element(handle).toHaveAttribute('aria-valuenow', '316')
  expect(box('first')?.width).toBe(316)
  await pressed(...Array.from({ length: 8 }, () => 'ArrowLeft'))
  await expect.element(handle).toHaveAttribute('aria-valuenow', '200')
  await pressed('ArrowDown')
  await expect.element(handle).toHaveAttribute('aria-valuenow', '200')
})

it('resizes by dragging, and resets on double click', async () => {
  await show(panes())
  await userEvent.dragAndDrop(handle, page.getByTestId('second'), { targetPosition: { x: 100, y: 5 }, force: true })
  const wide = box('first')?.width ?? 0
  expect(wide).toBeGreaterThan(380)
  expect(wide).toBeLessThan(420)
  await page.getByTestId('first').hover()
  await handle.hover({ position: { x: 7, y: 300 } })
  expect(box('first')?.width).toBe(wide)
  await handle.dblClick()
  expect(box('first')?.width).toBe(300)
})

it('in a column layout, the second pane grows when the handle moves up', async () => {
  await show(panes({ direction: 'column', sized: 'second' }))
  await expect.element(handle).toHaveAttribute('aria-orientation', 'horizontal')
  await userEvent.tab()
  await pressed('ArrowUp')
  expect(box('second')?.height).toBe(316)
})

it('reverses the direction in a right-to-left page', async () => {
  await show(<div dir="rtl">{panes()}</div>)
  await userEvent.tab()
  await pressed('ArrowLeft')
  expect(box('first')?.width).toBe(316)
})

it('CONST-031: stores the size in this browser, separately for each name', async () => {
  const { rerender, unmount } = await show(panes())
  await userEvent.tab()
  await pressed('ArrowRight')
  await rerender(panes({ name: 'results' }))
  await expect.element(handle).toHaveAttribute('aria-valuenow', '300')
  await rerender(panes())
  await expect.element(handle).toHaveAttribute('aria-valuenow', '316')
  await unmount()
  await show(panes())
  await expect.element(handle).toHaveAttribute('aria-valuenow', '316')
})

it('shows a single pane without handle, and the other one keeps its state', async () => {
  const { rerender } = await show(panes({ second: <input aria-label="Text" defaultValue="" /> }))
  await page.getByRole('textbox').fill('select 1')
  await rerender(panes({ second: <input aria-label="Text" defaultValue="" />, only: 'first' }))
  await expect.element(handle).not.toBeInTheDocument()
  await expect.element(page.getByTestId('first')).toBeVisible()
  await expect.element(page.getByLabelText('Text')).not.toBeVisible()
  await expect.element(page.getByLabelText('Text')).toHaveValue('select 1')
})
