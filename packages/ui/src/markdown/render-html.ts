import { createElement, Fragment, type ReactNode } from 'react'
import { renderImage } from './images.ts'
import { isSafeHref } from './safe-href.ts'
import { TaskCheckbox } from './TaskCheckbox.tsx'

/** Allowed elements; other elements are replaced by their content. */
const allowedElements = new Set(
  `a abbr article aside b blockquote br caption center code col colgroup dd del details div dl dt em figcaption figure footer h1 h2 h3 h4 h5 h6
   header hr i img ins kbd li mark meter ol p pre progress q s samp section small span strike strong sub summary sup table tbody td tfoot th
   thead time tr u ul var`.split(/\s+/),
)
const voidElements = new Set(['br', 'col', 'hr', 'img', 'input'])
/** Elements between whose children line breaks have no meaning, and for which React refuses them. */
const textlessElements = new Set(['', 'ol', 'table', 'tbody', 'tfoot', 'thead', 'tr', 'ul'])
/** Elements that are removed with their content. */
const droppedElements = new Set(
  'embed iframe math noscript object script select style svg template textarea title'.split(' '),
)

/** Allowed attributes, by HTML name, with their React names. */
const attributes: Record<string, string> = {
  align: 'align',
  alt: 'alt',
  colspan: 'colSpan',
  height: 'height',
  href: 'href',
  max: 'max',
  min: 'min',
  open: 'open',
  rowspan: 'rowSpan',
  src: 'src',
  start: 'start',
  title: 'title',
  value: 'value',
  width: 'width',
}

/** Attributes that would affect the page outside the text, unless it is in a shadow root. */
const isolatedAttributes: Record<string, string> = { ...attributes, class: 'className', id: 'id', style: 'style' }

/** A tag or a comment. */
const tag =
  /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-z][a-z0-9-]*)((?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'<>=`]+))?)*)\s*\/?>/gi
const attribute = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>=`]+)))?/g

/** Maximum length of an unfinished tag or comment that is read again with the next piece. */
const maxRestLength = 10_000

/** Counts the open elements of a text that is read in pieces; each piece is read once. */
export class OpenTags {
  #open = 0
  #rest = ''

  get hasOpen(): boolean {
    return this.#open > 0
  }

  read(piece: string): void {
    const text = this.#rest + piece
    let from = 0
    for (const [found, closing, name = ''] of text.matchAll(tag)) {
      if (found.startsWith('<!--') && !found.endsWith('-->')) break
      from = text.indexOf(found, from) + found.length
      if (name === '' || voidElements.has(name.toLowerCase())) continue
      this.#open = Math.max(0, this.#open + (closing ? -1 : 1))
    }
    const unfinished = text.slice(from).indexOf('<')
    const rest = unfinished < 0 ? '' : text.slice(from + unfinished)
    this.#rest = rest.length > maxRestLength ? '' : rest
  }
}

/** Of the inputs, only checkboxes of task lists are shown, without their other attributes. */
const isCheckbox = /\stype\s*=\s*["']?checkbox\b/i
const isChecked = /\schecked\b/i

/** Maximum nesting of elements; more is never needed, and browsers fail at hundreds of thousands. */
const maxDepth = 200

interface Open {
  name: string
  props: Record<string, unknown>
  children: ReactNode[]
}

export interface HtmlOptions {
  /** Elements keep `class`, `id` and `style`: only in a shadow root that paints nothing beyond its own box. */
  isolated?: boolean
  /** Hosts whose images are shown in addition to our own; undefined: all. */
  imageHosts?: readonly string[] | undefined
  /** Links open in a new tab. */
  newTab?: boolean
}

/**
 * Converts HTML to React elements with allowed elements and attributes only; nothing is executed, and only page addresses are
 * fetched. Text never becomes HTML again.
 */
export function renderHtml(
  text: string,
  { isolated = false, imageHosts, newTab = false }: HtmlOptions = {},
): ReactNode[] {
  const root: Open = { name: '', props: {}, children: [] }
  const read = (name: string, rest: string) => {
    const props = toReactProps(name, rest, isolated ? isolatedAttributes : attributes)
    return newTab && 'href' in props ? { ...props, target: '_blank', rel: 'noopener noreferrer' } : props
  }
  const stack: Open[] = [root]
  const top = () => stack.at(-1) as Open
  const add = (node: ReactNode) => top().children.push(node)
  const close = () => {
    const { name, props, children } = stack.pop() as Open
    if (!droppedElements.has(name))
      add(
        allowedElements.has(name) ? createElement(name, props, ...children) : createElement(Fragment, {}, ...children),
      )
  }
  const say = (between: string) => {
    if (between === '' || stack.some(({ name }) => droppedElements.has(name))) return
    if (!isolated && textlessElements.has(top().name) && between.trim() === '') return
    add(decodeEntities(between))
  }
  let from = 0
  let beyond = 0
  for (const match of text.matchAll(tag)) {
    say(text.slice(from, match.index))
    from = match.index + match[0].length
    const [, closing, given = '', rest = ''] = match
    const name = given.toLowerCase()
    if (name === '') continue
    if (closing) {
      if (beyond > 0) {
        beyond -= 1
        continue
      }
      const index = stack.findLastIndex((each) => each.name === name)
      while (index > 0 && stack.length > index) close()
    } else if (voidElements.has(name)) {
      const props = read(name, rest)
      if (name === 'input') add(isCheckbox.test(rest) && createElement(TaskCheckbox, { checked: isChecked.test(rest) }))
      else add(name === 'img' ? renderImage(props, imageHosts) : createElement(name, props))
    } else if (stack.length > maxDepth) beyond += 1
    else stack.push({ name, props: read(name, rest), children: [] })
  }
  say(text.slice(from))
  while (stack.length > 1) close()
  return [createElement(Fragment, { key: 'html' }, ...root.children)]
}

function toReactProps(name: string, text: string, known: Record<string, string>): Record<string, unknown> {
  const props: Record<string, unknown> = {}
  for (const [, given = '', double, single, bare] of text.matchAll(attribute)) {
    const value = decodeEntities(double ?? single ?? bare ?? '')
    const own = Object.hasOwn(known, given.toLowerCase()) ? known[given.toLowerCase()] : undefined
    if (own === undefined) continue
    if ((own === 'href' || own === 'src') && !isSafeHref(value)) continue
    props[own] = own === 'open' ? true : own === 'style' ? parseStyle(value) : value
  }
  if (name === 'a') props['rel'] = 'noreferrer'
  return props
}

/** Parses declarations for React: `--own` is unchanged, other names become camel case. */
const parseStyle = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/;(?![^(]*\))/).flatMap((declaration) => {
      const [, name, value] = /^\s*(--[\w-]+|[a-z-]+)\s*:\s*([^]*?)\s*$/i.exec(declaration) ?? []
      if (!name || !value) return []
      return [
        [
          name.startsWith('--')
            ? name
            : name.toLowerCase().replace(/-([a-z])/g, (_, next: string) => next.toUpperCase()),
          value,
        ],
      ]
    }),
  )

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00A0' }
const decodeEntities = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d{1,7})|#x([\da-f]{1,6})|([a-z]+));/gi,
    (whole, ten?: string, sixteen?: string, name = '') => {
      const code = ten ? Number(ten) : sixteen ? Number.parseInt(sixteen, 16) : null
      if (code !== null) return code <= 0x10ffff ? String.fromCodePoint(code) : whole
      return Object.hasOwn(entities, name) ? (entities[name] as string) : whole
    },
  )
