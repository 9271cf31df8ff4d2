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

const mostElements = 50_000
const deepest = 200
/** Maximum number of elements drawn in the end: a few that reference each other can draw millions. */
const mostDrawn = 100_000
/** Characters parsed before yielding to the event loop. */
const pieceLength = 4 << 10

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
  const plain = css.replaceAll(/\/\*[\s\S]*?(?:\*\/|$)/g, '')
  return staysWithin(plain) ? plain : ''
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
const quoted = (value: string): string => `"${escaped(value).replaceAll('"', '&quot;')}"`

type Attribute = SaxesTagNS['attributes'][string]

/** Returns the name under which the attribute is written; undefined for attributes that an image may not have. */
function sanitizeAttribute(element: string, { name, local, prefix, uri, value }: Attribute): string | undefined {
  if (local === 'href' && (uri === '' || uri === xlinkSpace)) {
    const isFine = element === 'image' ? pixels.test(value) : /^#\S+$/.test(value)
    return isFine ? 'href' : undefined
  }
  if (name === 'xml:space') return name
  if (uri !== '' || prefix !== '' || name === 'xmlns' || !/^[a-z][\w-]*$/i.test(local)) return undefined
  return /^on|^src$/i.test(local) || !staysWithin(value) ? undefined : local
}

function sanitizeAttributes({ local, attributes }: SaxesTagNS): Map<string, string> {
  const written = new Map<string, string>()
  for (const attribute of Object.values(attributes)) {
    const name = sanitizeAttribute(local, attribute)
    if (name !== undefined) written.set(name, attribute.value)
  }
  return written
}

/** Counts the elements drawn by each `id`, including those that it references. */
class ElementCounter {
  readonly #own = new Map<string, { elements: number; uses: string[] }>()
  readonly #known = new Map<string, number>()
  readonly whole = { elements: 0, uses: [] as string[] }

  add(ids: readonly string[], use: string | undefined): void {
    for (const each of [this.whole, ...ids.map((id) => this.#of(id))]) {
      each.elements += 1
      if (use !== undefined) each.uses.push(use)
    }
  }

  #of(id: string) {
    const known = this.#own.get(id) ?? { elements: 0, uses: [] }
    this.#own.set(id, known)
    return known
  }

  /** An element that references itself counts as too many, because the count would never end. */
  count({ elements, uses } = this.whole, within: ReadonlySet<string> = new Set()): number {
    let all = elements
    for (const id of uses) {
      if (within.has(id) || within.size > deepest) return Infinity
      const used = this.#own.get(id)
      if (!used) continue
      const known = this.#known.get(id) ?? this.count(used, new Set([...within, id]))
      this.#known.set(id, known)
      all += known
      if (all > mostDrawn) return Infinity
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
  const [, , boxWidth, boxHeight] = (attributes['viewBox']?.value ?? '').trim().split(/[\s,]+/)
  return width && height ? { width, height } : { width: parseLength(boxWidth), height: parseLength(boxHeight) }
}

/**
 * Rewrites an SVG from its drawing elements: without scripts, handlers, links, foreign elements, animations, entities, and
 * anything that is fetched. Yields to the event loop regularly.
 * @returns undefined for text that is not well-formed SVG, or draws too much
 */
export async function sanitizeSvg(given: string): Promise<SanitizedSvg | undefined> {
  const pieces: string[] = []
  /** Open elements; `id` is null for those that are not written or have none. */
  const open: { name: string; isDropped: boolean; isWritten: boolean; id: string | null }[] = []
  const drawn = new ElementCounter()
  let css = ''
  let size: Pick<SanitizedSvg, 'width' | 'height'> | undefined
  let failure: Error | undefined
  const fail = (message: string) => {
    failure ??= new Error(message)
  }
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', (error) => {
    failure ??= error
  })
  parser.on('opentag', (tag) => {
    const { local, uri } = tag
    const within = open.at(-1)
    if (!within && (local !== 'svg' || uri !== svgSpace)) fail('no SVG')
    if (open.length > deepest || drawn.whole.elements > mostElements) fail('too many elements')
    if (failure) return
    if (!within) size = readSize(tag)
    const isKnown = uri === svgSpace && allowed.has(local)
    const isUnwrapped = uri === svgSpace && unwrapped.has(local)
    const isDropped = within?.isDropped === true || within?.name === 'style' || !(isKnown || isUnwrapped)
    const isWritten = !isDropped && isKnown
    const id = isWritten ? (tag.attributes['id']?.value ?? null) : null
    open.push({ name: local, isDropped, isWritten, id })
    if (!isWritten) return
    const attributes = sanitizeAttributes(tag)
    const written = [...attributes].map(([name, value]) => ` ${name}=${quoted(value)}`).join('')
    pieces.push(`<${local}${within ? '' : ` xmlns="${svgSpace}"`}${written}>`)
    const href = attributes.get('href')
    const ids = open.flatMap((each) => (each.id === null ? [] : [each.id]))
    drawn.add(ids, local === 'use' && href?.startsWith('#') ? href.slice(1) : undefined)
  })
  const say = (text: string) => {
    const within = open.at(-1)
    if (!within || within.isDropped) return
    if (within.name === 'style') css += text
    else pieces.push(escaped(text))
  }
  parser.on('text', say)
  parser.on('cdata', say)
  parser.on('closetag', ({ local }) => {
    const closed = open.pop()
    if (!closed?.isWritten) return
    if (local === 'style') {
      pieces.push(escaped(sanitizeStyle(css)))
      css = ''
    }
    pieces.push(`</${local}>`)
  })
  const rests = new EventLoopYielder()
  for (let at = 0; at < given.length && !failure; at += pieceLength) {
    parser.write(given.slice(at, at + pieceLength))
    await rests.yieldIfDue()
  }
  if (!failure) parser.close()
  if (failure || !size || drawn.count() > mostDrawn) return undefined
  return { text: pieces.join(''), ...size }
}
