import { expect, it } from 'vitest'
import { computePosition } from './compute-position.ts'

const view = { width: 1000, height: 800 }
const anchor = { left: 100, top: 100, width: 80, height: 30 }

it('hangs below the start of its anchor', () => {
  expect(computePosition(anchor, { width: 200, height: 100 }, view, 'bottom-start', 8)).toEqual({
    left: 100,
    top: 138,
    side: 'bottom',
  })
})

it('turns to the other side when only that one has room', () => {
  const low = { ...anchor, top: 750 }
  expect(computePosition(low, { width: 200, height: 100 }, view, 'bottom-start', 8)).toMatchObject({
    top: 642,
    side: 'top',
  })
})

it('takes the side with more room when neither has enough, and the wished one when they are alike', () => {
  const tall = { width: 200, height: 700 }
  expect(computePosition({ ...anchor, top: 400 }, tall, view, 'bottom', 8)).toMatchObject({ top: 8, side: 'top' })
  expect(computePosition({ ...anchor, top: 385 }, tall, view, 'bottom', 8)).toMatchObject({ top: 92, side: 'bottom' })
})

it('moves along its anchor to stay in the window', () => {
  const right = { ...anchor, left: 950 }
  expect(computePosition(right, { width: 200, height: 100 }, view, 'bottom-start', 8).left).toBe(792)
})

it('ends where its anchor ends', () => {
  expect(computePosition(anchor, { width: 40, height: 10 }, view, 'bottom-end', 8).left).toBe(140)
})

it('mirrors in a page that runs from right to left', () => {
  expect(computePosition(anchor, { width: 40, height: 10 }, view, 'bottom-start', 8, true).left).toBe(140)
  expect(
    computePosition({ ...anchor, left: 400 }, { width: 40, height: 10 }, view, 'right-start', 8, true),
  ).toMatchObject({
    left: 352,
    side: 'left',
  })
})
