import { expect, it } from 'vitest'
import { computePosition } from './compute-position.ts'

const view = { width: 1000, height: 800 }
const anchor = { left: 100, top: 100, width: 80, height: 30 }

it('is placed below the start of its anchor', () => {
  expect(computePosition(anchor, { width: 200, height: 100 }, view, 'bottom-start', 8)).toEqual({
    left: 100,
    top: 138,
    side: 'bottom',
  })
})

it('flips to the other side if only that one has enough space', () => {
  const low = { ...anchor, top: 750 }
  expect(computePosition(low, { width: 200, height: 100 }, view, 'bottom-start', 8)).toMatchObject({
    top: 642,
    side: 'top',
  })
})

it('uses the side with more space if neither has enough, and the preferred one if they are equal', () => {
  const tall = { width: 200, height: 700 }
  expect(computePosition({ ...anchor, top: 400 }, tall, view, 'bottom', 8)).toMatchObject({ top: 8, side: 'top' })
  expect(computePosition({ ...anchor, top: 385 }, tall, view, 'bottom', 8)).toMatchObject({ top: 92, side: 'bottom' })
})

it('moves along its anchor to stay in the window', () => {
  const right = { ...anchor, left: 950 }
  expect(computePosition(right, { width: 200, height: 100 }, view, 'bottom-start', 8).left).toBe(792)
})

it('aligns with the end of its anchor', () => {
  expect(computePosition(anchor, { width: 40, height: 10 }, view, 'bottom-end', 8).left).toBe(140)
})

it('is mirrored in a right-to-left page', () => {
  expect(computePosition(anchor, { width: 40, height: 10 }, view, 'bottom-start', 8, true).left).toBe(140)
  expect(
    computePosition({ ...anchor, left: 400 }, { width: 40, height: 10 }, view, 'right-start', 8, true),
  ).toMatchObject({
    left: 352,
    side: 'left',
  })
})
