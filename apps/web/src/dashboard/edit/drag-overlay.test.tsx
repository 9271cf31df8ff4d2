import { afterEach, expect, it } from 'vitest'
import { openDragOverlay, type DragOverlay } from './drag-overlay.ts'

let open: DragOverlay | null = null
const begin = (): DragOverlay => (open = openDragOverlay())
afterEach(() => {
  open?.end()
  document.documentElement.removeAttribute('style')
})
const canvas = (): HTMLCanvasElement | null => document.querySelector('body > canvas')
/** Red, green, blue and alpha at a point of the window. */
const colorAt = (x: number, y: number): number[] => {
  const scale = window.devicePixelRatio
  return [
    ...canvas()!
      .getContext('2d')!
      .getImageData(x * scale, y * scale, 1, 1).data,
  ]
}
const setTokens = (tokens: Record<string, string>): void => {
  for (const [name, value] of Object.entries(tokens)) document.documentElement.style.setProperty(name, value)
}
const transparent = [0, 0, 0, 0]

it('draws the drop line in the accent color, or in the danger color where a drop is refused', () => {
  setTokens({ '--accent': '#0000ff', '--danger': '#ff0000' })
  const line = { x: 40, y: 60, width: 100, height: 6 }
  const marks = begin()
  marks.show({ line: { ...line, isRefused: false } })
  expect(colorAt(90, 63)).toEqual([0, 0, 255, 255])
  marks.show({ line: { ...line, y: 160, isRefused: true } })
  expect(colorAt(90, 63)).toEqual(transparent)
  expect(colorAt(90, 163)).toEqual([255, 0, 0, 255])
  marks.show({})
  expect(colorAt(90, 163)).toEqual(transparent)
})

it('draws the name beside the pointer, truncated if long, and moves it along', () => {
  setTokens({ '--raised': '#00ff00', '--text-size-4': '14px', '--line-4': '20px', '--font': 'monospace' })
  const marks = begin()
  expect(canvas()!.getContext('2d')!.font).toBe('500 14px monospace')
  marks.show({ card: { x: 20, y: 20, text: 'A name '.repeat(40) } })
  expect(colorAt(25, 24)).toEqual([0, 255, 0, 255])
  expect(colorAt(24 + 240 + 20, 24)).toEqual(transparent)
  marks.show({ card: { x: 220, y: 120, text: 'A name' } })
  expect(colorAt(25, 24)).toEqual(transparent)
  expect(colorAt(225, 124)).toEqual([0, 255, 0, 255])
})

it('draws the new size with its label in the corner, and removes the canvas at the end', () => {
  setTokens({ '--accent': '#0000ff' })
  const marks = begin()
  marks.show({ ghost: { x: 20, y: 20, width: 300, height: 200, text: '4 × 50' } })
  expect(colorAt(170, 100)).toEqual(transparent)
  expect(colorAt(20 + 300 - 12, 20 + 200 - 12)).toEqual([0, 0, 255, 255])
  expect(canvas()?.getAttribute('aria-hidden')).toBe('true')
  marks.end()
  expect(canvas()).toBeNull()
})
