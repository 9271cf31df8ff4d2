import { AppError, message } from '@parquetry/model'
import { SaxesParser, type SaxesTagNS } from 'saxes'
import { EventLoopYielder } from '../concurrency/event-loop-yielder.ts'

export interface SanitizedSvg {
  text: string
  /** Size declared by the image, in pixels. */
  width: number | null
  height: number | null
}

const svgSpace = 'http://www.w3.org/2000/svg'
const xlinkSpace = 'http://www.w3.org/1999/xlink'

/** Elements that draw. Others are dropped with their content, except links, whose content stays. */
const allowed = new Set(
  `svg g defs symbol use switch title desc path rect circle ellipse line polyline polygon text tspan textPath image style
   linearGradient radialGradient stop pattern clipPath mask marker view filter feBlend feColorMatrix feComponentTransfer
   feComposite feConvolveMatrix feDiffuseLighting feDisplacementMap feDistantLight feDropShadow feFlood feFuncA feFuncB feFuncG
   feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset fePointLight feSpecularLighting feSpotLight feTile
   feTurbulence`.split(/\s+/),
)
const unwrapped = new Set(['a'])

/** The parser stops at the first excess, and counts what is dropped as well. */
const maxElements = 50_000
const maxAttributes = 250_000
const maxAttributesPerElement = 200
const maxDepth = 200
/** Maximum number of elements drawn in the end: a few that reference each other can draw millions. */
const maxDrawn = 100_000
/** Characters parsed before yielding to the event loop. */
const pieceLength = 4 << 10

const tooComplex = (): AppError =>
  new AppError('unprocessable', {
    message: message(
      'errors.image.tooComplex',
      'This SVG is too complex: it may have at most {elements, number} elements, {attributes, number} attributes per element and {depth, number} levels. Simplify it, or convert it to PNG.',
      { elements: maxElements, attributes: maxAttributesPerElement, depth: maxDepth },
    ),
  })

/**
 * Tests if a value refers only to the image itself: `url(#shade)`. Values with escapes are refused because they may spell
 * anything.
 */
const staysWithin = (value: string): boolean =>
  !/[\\@]|javascript:|-moz-binding|(?:expression|image-set|cross-fade|src|image|element)\s*\(/i.test(value) &&
  !/url\s*\((?!\s*["']?#)/i.test(value)

const pixels = /^data:image\/(?:png|jpe?g|gif|webp|avif);base64,[a-z\d+/=\s]*$/i

/** Empties a style sheet with rules that load anything, such as fonts and imports, or with disguised ones. */
const sanitizeStyle = (css: string): string => {
  const withoutComments = css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
  return staysWithin(withoutComments) ? withoutComments : ''
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const quoteAttribute = (value: string): string => `"${escapeText(value).replaceAll('"', '&quot;')}"`

type Attribute = SaxesTagNS['attributes'][string]

/** Returns the name under which the attribute is written; undefined for attributes that an image may not have. */
function sanitizeAttribute(element: string, { name, local, prefix, uri, value }: Attribute): string | undefined {
  if (local === 'href' && (uri === '' || uri === xlinkSpace)) {
    const isAllowedRef = element === 'image' ? pixels.test(value) : /^#\S+$/.test(value)
    return isAllowedRef ? 'href' : undefined
  }
  if (name === 'xml:space') return name
  if (uri !== '' || prefix !== '' || name === 'xmlns' || !/^[a-z][\w-]*$/i.test(local)) return undefined
  return /^on|^src$/i.test(local) || !staysWithin(value) ? undefined : local
}

function sanitizeAttributes({ local, attributes }: SaxesTagNS): Map<string, string> {
  const sanitized = new Map<string, string>()
  for (const attribute of Object.values(attributes)) {
    const name = sanitizeAttribute(local, attribute)
    if (name !== undefined) sanitized.set(name, attribute.value)
  }
  return sanitized
}

/** Counts the elements drawn by each `id`, including those that it references. */
class ElementCounter {
  readonly #countsById = new Map<string, { elements: number; uses: string[] }>()
  readonly #totals = new Map<string, number>()
  readonly whole = { elements: 0, uses: [] as string[] }

  add(ids: readonly string[], use: string | undefined): void {
    for (const each of [this.whole, ...ids.map((id) => this.#of(id))]) {
      each.elements += 1
      if (use !== undefined) each.uses.push(use)
    }
  }

  #of(id: string) {
    const entry = this.#countsById.get(id) ?? { elements: 0, uses: [] }
    this.#countsById.set(id, entry)
    return entry
  }

  /** An element that references itself counts as too many, because the count would never end. */
  count({ elements, uses } = this.whole, ancestors: ReadonlySet<string> = new Set()): number {
    let all = elements
    for (const id of uses) {
      if (ancestors.has(id) || ancestors.size > maxDepth) return Infinity
      const used = this.#countsById.get(id)
      if (!used) continue
      const total = this.#totals.get(id) ?? this.count(used, new Set([...ancestors, id]))
      this.#totals.set(id, total)
      all += total
      if (all > maxDrawn) return Infinity
    }
    return all
  }
}

const parseLength = (text: string | undefined): number | null => {
  const [, number] = /^\s*(\d{1,6}(?:\.\d+)?)(?:px)?\s*$/.exec(text ?? '') ?? []
  return Number(number) > 0 ? Math.max(1, Math.round(Number(number))) : null
}

function readSize({ attributes }: SaxesTagNS): Pick<SanitizedSvg, 'width' | 'height'> {
  const [width, height] = [parseLength(attributes['width']?.value), parseLength(attributes['height']?.value)]
  const [, , boxWidth, boxHeight] = (attributes['viewBox']?.value ?? '')
    .trim()
    .slice(0, 200)
    .split(/[\s,]+/)
  return width && height ? { width, height } : { width: parseLength(boxWidth), height: parseLength(boxHeight) }
}

/**
 * Rewrites an SVG from its drawing elements: without scripts, handlers, links, foreign elements, animations, entities, and
 * anything that is fetched. Yields to the event loop regularly.
 * @returns undefined for text that is not well-formed SVG
 * @throws AppError `unprocessable` for too many elements, attributes or levels, or one that draws too much
 */
export async function sanitizeSvg(source: string): Promise<SanitizedSvg | undefined> {
  const pieces: string[] = []
  /** Open elements; `id` is null for those that are not written or have none. */
  const openElements: { name: string; isDropped: boolean; isWritten: boolean; id: string | null }[] = []
  const counter = new ElementCounter()
  let css = ''
  let size: Pick<SanitizedSvg, 'width' | 'height'> | undefined
  let failure: Error | undefined
  let [elementCount, attributeCount, attributesOfElement] = [0, 0, 0]
  const fail = (error: Error) => {
    failure ??= error
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', fail)
  parser.on('opentagstart', () => {
    elementCount += 1
    attributesOfElement = 0
    if (elementCount > maxElements || openElements.length > maxDepth) fail(tooComplex())
  })
  parser.on('attribute', () => {
    attributeCount += 1
    attributesOfElement += 1
    if (attributesOfElement > maxAttributesPerElement || attributeCount > maxAttributes) fail(tooComplex())
  })
  parser.on('opentag', (tag) => {
    const { local, uri } = tag
    const parent = openElements.at(-1)
    if (!parent && (local !== 'svg' || uri !== svgSpace)) fail(new Error('no SVG'))
    if (failure) return
    if (!parent) size = readSize(tag)
    const isKnown = uri === svgSpace && allowed.has(local)
    const isUnwrapped = uri === svgSpace && unwrapped.has(local)
    const isDropped = parent?.isDropped === true || parent?.name === 'style' || !(isKnown || isUnwrapped)
    const isWritten = !isDropped && isKnown
    const id = isWritten ? (tag.attributes['id']?.value ?? null) : null
    openElements.push({ name: local, isDropped, isWritten, id })
    if (!isWritten) return
    const attributes = sanitizeAttributes(tag)
    const attributeText = [...attributes].map(([name, value]) => ` ${name}=${quoteAttribute(value)}`).join('')
    pieces.push(`<${local}${parent ? '' : ` xmlns="${svgSpace}"`}${attributeText}>`)
    const href = attributes.get('href')
    const ids = openElements.flatMap((each) => (each.id === null ? [] : [each.id]))
    counter.add(ids, local === 'use' && href?.startsWith('#') ? href.slice(1) : undefined)
  })
  const addText = (text: string) => {
    const parent = openElements.at(-1)
    if (!parent || parent.isDropped) return
    if (parent.name === 'style') css += text
    else pieces.push(escapeText(text))
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ local }) => {
    const element = openElements.pop()
    if (!element?.isWritten) return
    if (local === 'style') {
      pieces.push(escapeText(sanitizeStyle(css)))
      css = ''
    }
    pieces.push(`</${local}>`)
  })
  const yielder = new EventLoopYielder()
  for (let index = 0; index < source.length && !failure; index += pieceLength) {
    parser.write(source.slice(index, index + pieceLength))
    await yielder.yieldIfDue()
  }
  if (!failure) parser.close()
  if (failure instanceof AppError) throw failure
  if (failure || !size) return undefined
  if (counter.count() > maxDrawn) throw tooComplex()
  return { text: pieces.join(''), ...size }
}
