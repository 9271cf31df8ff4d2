import { expect, it } from 'vitest'
import { choosePopoverPlacement } from './popover-placement.ts'

const view = { width: 1440, height: 1000 }
const at = (top: number, right = 600) => choosePopoverPlacement({ top, right }, 360, view)

it('CTRL-020: opens downward in the upper part of the window and upward in the lower part', () => {
  expect([0, 349, 350, 650, 651, 990].map((top) => at(top))).toEqual([
    'right-start',
    'right-start',
    'right',
    'right',
    'right-end',
    'right-end',
  ])
})

it('opens below its control when there is no space beside it', () => {
  expect(at(100, 1064)).toBe('right-start')
  expect(at(100, 1065)).toBe('bottom-start')
})
