import { baselineOffset, fontSizeOf, fontWeightOf } from '../text-attributes.ts'
import { parseColor, type PdfColor } from './color.ts'
import type { Face, Fonts } from '../fonts.ts'
import { findBounds } from './bounds.ts'
import { rasterizeImage } from './rasterize.ts'
import type { SvgElement } from './svg-tree.ts'
import { parseTransform, identity } from './transform.ts'

/** Values that elements inherit from their ancestors. */
interface Inherited {
  attributes: Readonly<Record<string, string>>
  /** Product of the opacities of all enclosing groups. */
  opacity: number
}

interface PdfContext {
  doc: PDFKit.PDFDocument
  fonts: Fonts
  /** Elements with an id: clips and gradients. */
  named: Map<string, SvgElement>
}

const inheritable = [
  'fill',
  'fill-opacity',
  'fill-rule',
  'stroke',
  'stroke-width',
  'stroke-opacity',
  'stroke-dasharray',
  'stroke-linecap',
  'stroke-linejoin',
  'font-size',
  'font-weight',
  'text-anchor',
  'dominant-baseline',
  'font-variant-numeric',
]

/** Draws the elements of our SVGs as vectors and text. @throws Error for an unsupported element */
export function drawSvg(svg: SvgElement, doc: PDFKit.PDFDocument, fonts: Fonts): void {
  const named = new Map<string, SvgElement>()
  const collect = (element: SvgElement): void => {
    const { id } = element.attributes
    if (id !== undefined) named.set(id, element)
    element.children.forEach(collect)
  }
  collect(svg)
  draw(svg, { attributes: {}, opacity: 1 }, { doc, fonts, named }, true)
}

const elementRenderers: Readonly<Record<string, (element: SvgElement, look: Inherited, sheet: PdfContext) => void>> = {
  path: (element, look, sheet) =>
    drawShape(element, look, sheet, (doc) => void doc.path(element.attributes['d'] ?? '')),
  rect: (element, look, sheet) => drawShape(element, look, sheet, (doc) => rect(element, doc)),
  circle: (element, look, sheet) =>
    drawShape(
      element,
      look,
      sheet,
      (doc) => void doc.circle(number(element, 'cx'), number(element, 'cy'), number(element, 'r')),
    ),
  ellipse: (element, look, sheet) =>
    drawShape(
      element,
      look,
      sheet,
      (doc) =>
        void doc.ellipse(number(element, 'cx'), number(element, 'cy'), number(element, 'rx'), number(element, 'ry')),
    ),
  line: (element, look, sheet) =>
    drawShape(
      element,
      look,
      sheet,
      (doc) =>
        void doc
          .moveTo(number(element, 'x1'), number(element, 'y1'))
          .lineTo(number(element, 'x2'), number(element, 'y2')),
    ),
  polyline: (element, look, sheet) => drawShape(element, look, sheet, (doc) => points(element, doc, false)),
  polygon: (element, look, sheet) => drawShape(element, look, sheet, (doc) => points(element, doc, true)),
  text,
  image: (element, _look, { doc }) => image(element, doc),
}
/** Elements that draw nothing in place. */
const invisibleElements = new Set(['title', 'desc', 'defs', 'clipPath', 'linearGradient', 'radialGradient', 'style'])

function draw(element: SvgElement, around: Inherited, sheet: PdfContext, isRoot = false): void {
  const { name, attributes, children } = element
  if (invisibleElements.has(name) || attributes['display'] === 'none' || attributes['visibility'] === 'hidden') return
  const { doc, named } = sheet
  const look: Inherited = {
    attributes: {
      ...around.attributes,
      ...Object.fromEntries(inheritable.flatMap((key) => pickAttribute(key, attributes))),
    },
    opacity: around.opacity * Number(attributes['opacity'] ?? 1),
  }
  doc.save()
  const matrix = parseTransform(attributes['transform'])
  if (matrix) doc.transform(...(matrix as [number, number, number, number, number, number]))
  const clip = named.get(/^url\(#(.+)\)$/.exec(attributes['clip-path'] ?? '')?.[1] ?? '')
  if (clip) clipTo(clip, doc)
  if (name === 'svg' && !isRoot) {
    doc.translate(number(element, 'x'), number(element, 'y'))
    doc.rect(0, 0, number(element, 'width'), number(element, 'height')).clip()
  }
  if (name === 'svg' || name === 'g') for (const child of children) draw(child, look, sheet)
  else {
    const own = elementRenderers[name]
    if (!own) throw new Error(`The element ${name} cannot be drawn in a PDF.`)
    own(element, look, sheet)
  }
  doc.restore()
}

const pickAttribute = (key: string, attributes: Readonly<Record<string, string>>): [string, string][] =>
  attributes[key] === undefined ? [] : [[key, attributes[key]]]

const number = ({ attributes }: SvgElement, name: string): number => Number.parseFloat(attributes[name] ?? '0') || 0

/** Applies a clip. The outline may have its own transform, which must not move the clipped content. */
function clipTo(clip: SvgElement, doc: PDFKit.PDFDocument): void {
  for (const child of clip.children) {
    const [a, b, c, d, e, f] = parseTransform(child.attributes['transform']) ?? identity
    doc.transform(a, b, c, d, e, f)
    if (child.name === 'path') doc.path(child.attributes['d'] ?? '')
    else if (child.name === 'rect') rect(child, doc)
    doc.clip()
    const size = a * d - b * c
    doc.transform(d / size, -b / size, -c / size, a / size, (c * f - d * e) / size, (b * e - a * f) / size)
  }
}

/** Draws an image. A JPEG is embedded unchanged; other formats and unreadable JPEGs are rasterized first. */
function image(element: SvgElement, doc: PDFKit.PDFDocument): void {
  const { href = '' } = element.attributes
  const [x, y, width, height] = readRect(element)
  const [, jpeg] = /^data:image\/jpeg;base64,([\s\S]*)$/.exec(href) ?? []
  try {
    if (jpeg !== undefined) return void doc.image(Buffer.from(jpeg, 'base64'), x, y, { width, height })
  } catch {
    // Unreadable JPEGs are not shown, as in a browser.
  }
  doc.image(rasterizeImage(href, width, height), x, y, { width, height })
}

const readRect = (element: SvgElement) =>
  ['x', 'y', 'width', 'height'].map((name) => number(element, name)) as [number, number, number, number]

function rect(element: SvgElement, doc: PDFKit.PDFDocument): void {
  const [x, y, width, height] = readRect(element)
  const radius = number(element, 'rx')
  if (radius > 0) doc.roundedRect(x, y, width, height, Math.min(radius, width / 2, height / 2))
  else doc.rect(x, y, width, height)
}

function points(element: SvgElement, doc: PDFKit.PDFDocument, isClosed: boolean): void {
  const numbers = (element.attributes['points'] ?? '')
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(Number)
  for (let index = 0; index + 1 < numbers.length; index += 2) {
    const [x, y] = [numbers[index] as number, numbers[index + 1] as number]
    if (index === 0) doc.moveTo(x, y)
    else doc.lineTo(x, y)
  }
  if (isClosed) doc.closePath()
}

const findReference = (value: string | undefined, named: Map<string, SvgElement>): SvgElement | undefined =>
  named.get(/^url\(#(.+)\)$/.exec(value ?? '')?.[1] ?? '')

const stopsOf = (gradient: SvgElement): SvgElement[] => gradient.children.filter(({ name }) => name === 'stop')

/** Returns a linear gradient over the bounds of a shape; null for any other fill. */
function buildGradient(
  shape: SvgElement,
  { attributes, opacity }: Inherited,
  { doc, named }: PdfContext,
): PDFKit.PDFLinearGradient | null {
  const gradient = findReference(attributes['fill'], named)
  const bounds = gradient?.name === 'linearGradient' ? findBounds(shape) : null
  if (!gradient || !bounds) return null
  const isAbsolute = gradient.attributes['gradientUnits'] === 'userSpaceOnUse'
  const [left, top, width, height] = isAbsolute ? [0, 0, 1, 1] : bounds
  const at = (name: string, otherwise: number): number => parsePart(gradient.attributes[name], otherwise)
  const built = doc.linearGradient(
    left + width * at('x1', 0),
    top + height * at('y1', 0),
    left + width * at('x2', 1),
    top + height * at('y2', 0),
  )
  for (const { attributes: stop } of stopsOf(gradient)) {
    const ink = parseColor(stop['stop-color'])
    const alpha = (ink?.alpha ?? 0) * Number(stop['stop-opacity'] ?? 1) * Number(attributes['fill-opacity'] ?? 1)
    built.stop(parsePart(stop['offset'], 0), (ink?.color ?? [0, 0, 0]) as unknown as string, alpha * opacity)
  }
  return built
}

/** Parses `0.25` or `25%`. */
const parsePart = (text: string | undefined, otherwise: number): number => {
  const number = Number.parseFloat(text ?? '')
  return Number.isNaN(number) ? otherwise : text?.endsWith('%') ? number / 100 : number
}

/** Resolves a color; a gradient of a line or a text is drawn in the color of its middle stop. */
function resolvePaint(value: string | undefined, named: Map<string, SvgElement>): PdfColor | null {
  const gradient = findReference(value, named)
  if (!gradient) return parseColor(value)
  const stops = stopsOf(gradient)
  const middle = stops[Math.floor(stops.length / 2)]
  const ink = parseColor(middle?.attributes['stop-color'])
  return ink && { ...ink, alpha: ink.alpha * Number(middle?.attributes['stop-opacity'] ?? 1) }
}

function drawShape(
  element: SvgElement,
  look: Inherited,
  sheet: PdfContext,
  outline: (doc: PDFKit.PDFDocument) => void,
): void {
  const { attributes, opacity } = look
  const { doc, named } = sheet
  const gradient = buildGradient(element, look, sheet)
  const fill = resolvePaint(attributes['fill'] ?? '#000000', named)
  const stroke = resolveStroke(attributes, named)
  if (!fill && !stroke) return
  outline(doc)
  if (gradient) doc.fillColor(gradient).fillOpacity(1)
  else if (fill) doc.fillColor(fill.color).fillOpacity(fill.alpha * Number(attributes['fill-opacity'] ?? 1) * opacity)
  if (stroke) applyStroke(doc, stroke, attributes, opacity)
  const rule = attributes['fill-rule'] === 'evenodd' ? 'even-odd' : 'non-zero'
  if (fill && stroke) doc.fillAndStroke(gradient ?? fill.color, stroke.color, rule)
  else if (fill) doc.fill(rule)
  else doc.stroke()
}

function resolveStroke(attributes: Readonly<Record<string, string>>, named: Map<string, SvgElement>): PdfColor | null {
  const width = Number.parseFloat(attributes['stroke-width'] ?? '1')
  return width > 0 ? resolvePaint(attributes['stroke'], named) : null
}

const caps: Readonly<Record<string, 'butt' | 'round' | 'square'>> = { round: 'round', square: 'square' }
const joins: Readonly<Record<string, 'miter' | 'round' | 'bevel'>> = { round: 'round', bevel: 'bevel' }

function applyStroke(
  doc: PDFKit.PDFDocument,
  { color, alpha }: PdfColor,
  attributes: Readonly<Record<string, string>>,
  opacity: number,
): void {
  doc
    .strokeColor(color)
    .strokeOpacity(alpha * Number(attributes['stroke-opacity'] ?? 1) * opacity)
    .lineWidth(Number.parseFloat(attributes['stroke-width'] ?? '1'))
    .lineCap(caps[attributes['stroke-linecap'] ?? ''] ?? 'butt')
    .lineJoin(joins[attributes['stroke-linejoin'] ?? ''] ?? 'miter')
  const dashes = (attributes['stroke-dasharray'] ?? '').split(/[\s,]+/).map(Number.parseFloat)
  if (dashes.length > 0 && dashes.every((each) => each > 0)) doc.dash(dashes as unknown as number, {})
}

function text(element: SvgElement, { attributes, opacity }: Inherited, { doc, fonts, named }: PdfContext): void {
  const said = element.text
  const fill = resolvePaint(attributes['fill'] ?? '#000000', named)
  if (said.trim() === '' || !fill) return
  const size = fontSizeOf(attributes)
  const isTabular = attributes['font-variant-numeric'] === 'tabular-nums'
  const options = { lineBreak: false, baseline: 'alphabetic', ...(isTabular && { features: ['tnum'] }) } as const
  const runs = fonts.splitRuns(said, fontWeightOf(attributes)).map(({ text: piece, face }) => {
    selectFont(face, doc).fontSize(size)
    // With features, pdfkit lays out a run as a whole: words that are written from right to left stay in order.
    const own = face.isInter ? options : { ...options, features: [] }
    return { piece, face, own, width: doc.widthOfString(piece, own as PDFKit.Mixins.TextOptions) }
  })
  const whole = runs.reduce((sum, { width }) => sum + width, 0)
  const anchor = attributes['text-anchor']
  let x = number(element, 'x') - (anchor === 'middle' ? whole / 2 : anchor === 'end' ? whole : 0)
  const y = number(element, 'y') + baselineOffset(attributes)
  doc.fillColor(fill.color).fillOpacity(fill.alpha * Number(attributes['fill-opacity'] ?? 1) * opacity)
  for (const { piece, face, own, width } of runs) {
    selectFont(face, doc).fontSize(size)
    doc.text(piece, x, y, own as PDFKit.Mixins.TextOptions)
    x += width
  }
}

const selectFont = ({ file, postscriptName }: Face, doc: PDFKit.PDFDocument): PDFKit.PDFDocument =>
  postscriptName === null ? doc.font(file) : doc.font(file, postscriptName)
