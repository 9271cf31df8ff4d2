import { expect, it } from 'vitest'
import { buildFrame } from '../columns.ts'
import type { Frame } from '../frame.ts'
import { createXlsxSheetEncoder } from './xlsx-sheet.ts'

function encodeSheet(...frames: Frame[]): string {
  const encoder = createXlsxSheetEncoder()
  const pieces = [encoder.start(frames[0]!.columns), ...frames.map((frame) => encoder.frame(frame)), encoder.end()]
  return Buffer.concat(pieces.flat()).toString()
}

it('every cell has its reference, through all lengths of row numbers and in later frames', () => {
  const frame = (rows: number) =>
    buildFrame(Object.fromEntries(Array.from({ length: 28 }, (_, index) => [`c${index}`, Array(rows).fill(index)])))
  const sheet = encodeSheet(frame(120), frame(10_085))
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'AA', 'AB']
  const expected = Array.from({ length: 1 + 120 + 10_085 }, (_, index) => [
    String(index + 1),
    ...letters.map((letter) => `${letter}${index + 1}`),
  ]).flat()
  const found = [...sheet.matchAll(/ r="([^"]*)"/g)].map(([, reference]) => reference)
  // The diff of arrays of this length would take minutes.
  const wrong = expected.findIndex((reference, index) => found[index] !== reference)
  expect([found.length, found[wrong], expected[wrong]]).toEqual([expected.length, undefined, undefined])
})

it('text is marked to keep its spaces only where readers would drop them', () => {
  const texts = ['plain', 'two words', ' before', 'after ', 'two\nlines', '\ttab', '', 'a & b', 'a_b', '\uFEFFx']
  const sheet = encodeSheet(buildFrame({ text: texts }))
  const cells = [...sheet.matchAll(/<is><t( xml:space="preserve")?>([^<]*)<\/t><\/is>/g)].slice(1)
  expect(cells.map(([, space, text]) => [text, space !== undefined])).toEqual([
    ['plain', false],
    ['two words', false],
    [' before', true],
    ['after ', true],
    ['two\nlines', true],
    ['\ttab', true],
    ['', true],
    ['a &amp; b', true],
    ['a_b', true],
    ['\uFEFFx', true],
  ])
})

it('a sheet that fits a page says so before its views, and after its rows and before its drawing', () => {
  const parts = (fitsPage: boolean) => {
    const encoder = createXlsxSheetEncoder({ fitsPage, tail: '<drawing/>' })
    const sheet = Buffer.concat([encoder.start([]), encoder.end()].flat()).toString()
    return [...sheet.matchAll(/<(sheetPr|sheetViews|sheetData|pageSetup|drawing)\b/g)].map(([, name]) => name)
  }
  expect(parts(true)).toEqual(['sheetPr', 'sheetViews', 'sheetData', 'pageSetup', 'drawing'])
  expect(parts(false)).toEqual(['sheetViews', 'sheetData', 'drawing'])
})
