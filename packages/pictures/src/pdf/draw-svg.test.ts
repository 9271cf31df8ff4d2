import PDFDocument from 'pdfkit'
import { expect, it } from 'vitest'
import { Fonts } from '../fonts.ts'
import { parseColor } from './color.ts'
import { drawSvg } from './draw-svg.ts'
import { parseSvg } from './svg-tree.ts'
import { parseTransform } from './transform.ts'

/** Returns the PDF operators of an SVG. */
async function readOperators(inside: string): Promise<string> {
  const doc = new PDFDocument({ compress: false, margin: 0 })
  const parts: Buffer[] = []
  doc.on('data', (part: Buffer) => void parts.push(part))
  const isWhole = new Promise((resolve) => doc.on('end', resolve))
  drawSvg(
    parseSvg(`<svg xmlns="http://www.w3.org/2000/svg" width="100" height="100">${inside}</svg>`),
    doc,
    new Fonts(null),
  )
  doc.end()
  await isWhole
  return Buffer.concat(parts).toString('latin1')
}

it('parses SVG transforms', () => {
  expect(parseTransform('translate(10 20) scale(2)')).toEqual([2, 0, 0, 2, 10, 20])
  expect(parseTransform('matrix(1,2,3,4,5,6)')).toEqual([1, 2, 3, 4, 5, 6])
  expect(parseTransform('rotate(90 10 10)')?.map((each) => Math.round(each))).toEqual([0, 1, -1, 0, 20, 0])
  expect(() => parseTransform('skewX(3)')).toThrow('skewX')
})

it.each([
  ['#fff', { color: [255, 255, 255], alpha: 1 }],
  ['rgba(49,87,203,.12)', { color: [49, 87, 203], alpha: 0.12 }],
  ['#21 1d1a', null],
  ['none', null],
  ['rgba(0,0,0,0)', null],
] as const)('parses the color %s', (said, ink) => {
  expect(parseColor(said)).toEqual(ink)
})

it.each([
  ['<rect x="1" y="2" width="3" height="4" fill="#ff0000"/>', /1 2 3 4 re[\s\S]*?1 0 0 scn[\s\S]*?\bf\b/],
  ['<path d="M1 2L3 4" fill="none" stroke="#00ff00" stroke-dasharray="4 2"/>', /\[4 2\] 0 d[\s\S]*?\bS\b/],
  ['<g transform="translate(5,6)"><circle cx="0" cy="0" r="2"/></g>', /1 0 0 1 5 6 cm/],
  ['<polygon points="0,0 4,0 4,4" fill="#000"/>', /0 0 m\s+4 0 l\s+4 4 l\s+h/],
  ['<line x1="0" y1="1" x2="9" y2="1" stroke="#000"/>', /0 1 m\s+9 1 l/],
])('draws %s', async (svg, expected) => {
  expect(await readOperators(svg)).toMatch(expected)
})

it('regression: draws a linear gradient from end to end instead of in one color', async () => {
  const stops = '<stop offset="0" stop-color="#ff0000"/><stop offset="100%" stop-color="#0000ff" stop-opacity="0.5"/>'
  const gradient = `<defs><linearGradient id="a" x1="0" y1="0" x2="1" y2="0">${stops}</linearGradient></defs>`
  const drawn = await readOperators(`${gradient}<path d="M10 20l40 0l0 8l-40 0Z" fill="url(#a)"/>`)
  expect(drawn).toMatch(/\/ShadingType 2[\s\S]*?\/Coords \[10 20 50 20\]/)
  expect(drawn).toContain('/C0 [1 0 0]')
  expect(drawn).toContain('/C1 [0 0 1]')
  expect(drawn).toMatch(/10 20 m[\s\S]*?\/Pattern cs[\s\S]*? scn\s[\s\S]*?\bf\b/)
})

it('clips content at the position of the clip path', async () => {
  const clip = '<defs><clipPath id="a"><path d="M0 0H9V9H0Z" transform="translate(3 0)"/></clipPath></defs>'
  const drawn = await readOperators(`${clip}<g clip-path="url(#a)"><rect width="2" height="2"/></g>`)
  expect(drawn).toMatch(/1 0 0 1 3 0 cm[\s\S]*?W n[\s\S]*?1 0 0 1 -3 0 cm[\s\S]*?0 0 2 2 re/)
})

it('rejects unsupported elements instead of omitting them', async () => {
  await expect(readOperators('<foreignObject/>')).rejects.toThrow('foreignObject')
})
