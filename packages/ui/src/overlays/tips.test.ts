import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { currentTip, hideTip, showTip } from './tips.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => {
  hideTip(0)
  vi.useRealTimers()
})

const anchor = (isSeen: () => boolean) => ({ checkVisibility: isSeen }) as HTMLElement
const tip = (of: HTMLElement) => ({ anchor: of, text: 'Stop', shortcut: undefined })

it('appears after a delay, and immediately while another one is shown', () => {
  const [one, two] = [anchor(() => true), anchor(() => true)]
  showTip(tip(one))
  vi.advanceTimersByTime(399)
  expect(currentTip()).toBeNull()
  vi.advanceTimersByTime(1)
  expect(currentTip()?.anchor).toBe(one)
  showTip(tip(two))
  vi.advanceTimersByTime(0)
  expect(currentTip()?.anchor).toBe(two)
})

it('does not appear for a button that was removed under the pointer', () => {
  let isSeen = true
  showTip(tip(anchor(() => isSeen)))
  isSeen = false
  vi.advanceTimersByTime(400)
  expect(currentTip()).toBeNull()
})
