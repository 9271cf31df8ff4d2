import { expect, it } from 'vitest'
import { isWholeWorld } from './camera.ts'

it('repeats no part of the world in a view as wide as the whole world', () => {
  const view = { longitude: 0, latitude: 20, zoom: 0, bearing: 0, pitch: 0 }
  expect(isWholeWorld(view, 512)).toBe(true)
  expect(isWholeWorld(view, 511)).toBe(false)
  expect(isWholeWorld({ ...view, zoom: 1 }, 1000)).toBe(false)
  // the center is not that of the world, so the part beyond the date line would be missing
  expect(isWholeWorld({ ...view, longitude: 90 }, 600)).toBe(false)
  expect(isWholeWorld({ ...view, longitude: 90 }, 800)).toBe(true)
  expect(isWholeWorld({ ...view, bearing: 30 }, 2000)).toBe(false)
})
