import { expect, it } from 'vitest'
import { indexOfByte, indexOfCodePoint, positionAt } from './position.ts'

const text = "a é 😀 x\nsecond 'ü' line"

it('counts lines and columns from 1', () => {
  expect(positionAt(text, 0)).toEqual({ line: 1, column: 1, offset: 0 })
  expect(positionAt(text, text.indexOf('second'))).toEqual({ line: 2, column: 1, offset: 9 })
  expect(positionAt(text, text.indexOf('line'))).toMatchObject({ line: 2, column: 12 })
})

it('converts offsets in bytes and in code points to string indexes', () => {
  for (let index = 0; index <= text.length; index++) {
    const before = text.slice(0, index)
    if (!before.isWellFormed()) continue
    expect(indexOfByte(text, new TextEncoder().encode(before).length)).toBe(index)
    expect(indexOfCodePoint(text, [...before].length)).toBe(index)
  }
})

it('clamps offsets to the end of the text', () => {
  expect(indexOfByte(text, 1e6)).toBe(text.length)
  expect(indexOfCodePoint(text, 1e6)).toBe(text.length)
})
