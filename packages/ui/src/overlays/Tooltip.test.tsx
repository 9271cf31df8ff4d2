import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Button } from '../buttons/Button.tsx'
import { IconButton } from '../buttons/IconButton.tsx'
import { nextFrame, show } from '../show.testing.tsx'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'], shouldClearNativeTimers: true }))
afterEach(() => void vi.useRealTimers())

const tip = page.getByRole('tooltip')
const run = page.getByRole('button', { name: 'Run' })
const save = page.getByRole('button', { name: 'Save' })
const showButtons = () =>
  show(
    <>
      <IconButton icon="play" label="Run" shortcut="Mod+Enter" />
      <Button disabledReason="Only owners may">Save</Button>
      <p style={{ marginTop: 300 }}>Elsewhere</p>
    </>,
  )

it('CONST-022: is at most 62 steps of 4 px wide', async () => {
  await show(<Button disabledReason={'why '.repeat(90)}>Save</Button>)
  await save.hover()
  vi.advanceTimersByTime(400)
  await expect.element(tip).toBeVisible()
  expect(getComputedStyle(tip.element()).maxWidth).toBe(`${62 * 4}px`)
  expect(tip.element().getBoundingClientRect().width).toBeLessThanOrEqual(62 * 4)
})

it('appears 400 ms after the pointer enters, with the shortcut', async () => {
  await showButtons()
  await page.getByText('Elsewhere').hover()
  vi.advanceTimersByTime(100)
  // A real pointer moves while Vitest advances the fake clock.
  run.element().dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType: 'mouse' }))
  vi.advanceTimersByTime(399)
  await nextFrame()
  expect(tip.query()).toBeNull()
  vi.advanceTimersByTime(1)
  await nextFrame()
  expect(tip.element()).toHaveTextContent('RunCtrl Enter')
})

it('stays while hovered, and disappears 100 ms after the pointer leaves', async () => {
  await showButtons()
  await run.hover()
  vi.advanceTimersByTime(400)
  await tip.hover()
  vi.advanceTimersByTime(1000)
  await expect.element(tip).toBeVisible()
  await page.getByText('Elsewhere').hover()
  vi.advanceTimersByTime(100)
  await expect.element(tip).not.toBeInTheDocument()
})

it('appears immediately on keyboard focus; Esc hides it and keeps the focus', async () => {
  await showButtons()
  await userEvent.tab()
  vi.advanceTimersByTime(0)
  await expect.element(tip).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(tip).not.toBeInTheDocument()
  await expect.element(run).toHaveFocus()
})

it('disappears when its button is pressed', async () => {
  await showButtons()
  await run.hover()
  vi.advanceTimersByTime(400)
  await expect.element(tip).toBeVisible()
  await run.click()
  await expect.element(tip).not.toBeInTheDocument()
})

it('disappears when its button is removed', async () => {
  const { rerender } = await show(<IconButton icon="play" label="Run" />)
  await run.hover()
  vi.advanceTimersByTime(400)
  await expect.element(tip).toBeVisible()
  await rerender(<p>Nothing to run</p>)
  await expect.element(tip).not.toBeInTheDocument()
})

it('is the accessible description of its button, unless it is already its name', async () => {
  await showButtons()
  await expect.element(save).toHaveAccessibleDescription('Only owners may')
  await expect.element(run).toHaveAccessibleDescription('')
})
