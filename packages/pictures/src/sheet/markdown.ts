import { textWidth } from '@parquetry/charts/draw'
import { lexer, type Token, type Tokens } from 'marked'

/** A line of a text, positioned from the top of the text. */
export interface TextBlock {
  x: number
  /** Position of the baseline. */
  y: number
  size: number
  /** `strikeWidth` is the length of the line through a run. */
  runs: { text: string; weight: number; x: number; strikeWidth?: number }[]
  images: { href: string; x: number; y: number; width: number; height: number }[]
  /** A horizontal rule instead of text, as wide as the text if it has no width. */
  isRule?: boolean
  width?: number
}

const body = 14
/** As on the page, where they are relative to the text. */
const sizes = [24, 20, 17, 15, 14, 14]
const leading = 1.5
const indent = 20

interface WordStyle {
  weight: number
  isStruck?: boolean
}

interface Word extends WordStyle {
  text: string
  image?: ImageBox
}

const isRightToLeft = /[\p{Script=Arabic}\p{Script=Hebrew}]/u
const plain: WordStyle = { weight: 400 }
const cellPadding = 8
const minColumnWidth = 40

interface LineOptions {
  size?: number
  x?: number
  /** Mark of a list item, at the left of its first line. */
  mark?: string
  /** Width of a cell; otherwise lines end where the text does. */
  columnWidth?: number
  align?: Tokens.TableCell['align']
}

/** An image with its natural size. */
export interface ImageBox {
  href: string
  width: number
  height: number
}

/** @param width  width given in the text */
export type FindImage = (src: string, width?: number) => ImageBox | undefined

/**
 * Lays out GitHub-flavored Markdown in lines of a given width: headings, paragraphs, lists, tasks, quotes, code, tables and
 * images. HTML is reduced to its text, missing images to their alternative text.
 */
export function layOutMarkdown(
  markdown: string,
  width: number,
  findImage: FindImage,
): { blocks: TextBlock[]; height: number } {
  const blocks: TextBlock[] = []
  let y = 0

  const lines = (words: readonly Word[], { size = body, x = 0, mark = '', columnWidth, align }: LineOptions) => {
    const room = columnWidth ?? width - x
    let line: TextBlock['runs'] = []
    let images: TextBlock['images'] = []
    let [at, gap] = [0, 0]
    const flush = () => {
      if (line.length === 0 && images.length === 0) return
      y += Math.max(size * leading, ...images.map(({ height }) => height + 4))
      const placed = images.map((image) => ({ ...image, y: y - image.height - 2 }))
      const left = Math.max(0, room - at)
      const indented = x + (align === 'right' ? left : align === 'center' ? left / 2 : 0)
      blocks.push({ x: indented, y: y - size * (leading - 1), size, runs: line, images: placed })
      line = []
      images = []
      at = gap = 0
    }
    if (mark !== '') line.push({ text: mark, weight: 400, x: -measureText(mark, size, 400) - 6 })
    for (const { text, weight, isStruck, image } of words) {
      if (text === '\n') {
        flush()
        continue
      }
      if (text === ' ') {
        gap = at > 0 ? textWidth(' ', size) : 0
        continue
      }
      const own = image ? Math.min(image.width, room) : measureText(text, size, weight)
      if (at > 0 && at + gap + own > room) flush()
      const last = line.at(-1)
      const isPhrase = gap > 0 && last?.weight === weight && isRightToLeft.test(last.text) && isRightToLeft.test(text)
      at += gap
      if (image) images.push({ href: image.href, x: at, y: 0, width: own, height: (own * image.height) / image.width })
      // A phrase that is written from right to left is one run, in which its words are put in order.
      else if (isPhrase && !isStruck) last.text += ` ${text}`
      else line.push({ text, weight, x: at, ...(isStruck && { strikeWidth: own }) })
      at += own
      gap = 0
    }
    flush()
  }

  const table = ({ header, rows }: Tokens.Table, x: number) => {
    const cells = [header, ...rows].map((row, index) =>
      row.map(({ tokens, align }) => ({
        words: collectWords(tokens, { weight: index === 0 ? 600 : 400 }, findImage),
        align,
      })),
    )
    const widths = fitColumns(
      header.map((_, n) =>
        cells.reduce((most, row) => Math.max(most, measureLine(row[n]?.words ?? [])), minColumnWidth),
      ),
      width - x - header.length * 2 * cellPadding,
    )
    for (const row of cells) {
      const top = y + 4
      let [left, bottom] = [x, top]
      for (const [n, { words, align }] of row.entries()) {
        y = top
        const own = widths[n] ?? minColumnWidth
        lines(words, { x: left + cellPadding, columnWidth: own, align })
        bottom = Math.max(bottom, y)
        left += own + 2 * cellPadding
      }
      y = bottom + 4
      blocks.push({ x, y, size: body, runs: [], images: [], isRule: true, width: left - x })
    }
  }

  const take = (tokens: readonly Token[], x: number) => {
    for (const token of tokens) {
      if (token.type === 'heading') {
        const { depth, tokens: inside } = token as Tokens.Heading
        if (y > 0) y += 6
        lines(collectWords(inside, { weight: 600 }, findImage), { size: sizes[depth - 1] ?? body, x })
        y += 4
      } else if (token.type === 'list') {
        const { items, ordered, start } = token as Tokens.List
        for (const [at, item] of items.entries()) {
          const [first, ...rest] = item.tokens.filter(({ type }) => type !== 'checkbox')
          const inline = first && 'tokens' in first ? (first.tokens ?? []) : []
          lines(collectWords(inline, plain, findImage), {
            x: x + indent,
            mark: item.task ? (item.checked ? '✓' : '□') : ordered ? `${Number(start || 1) + at}.` : '•',
          })
          take(rest, x + indent)
        }
        y += 4
      } else if (token.type === 'blockquote') take((token as Tokens.Blockquote).tokens, x + indent)
      else if (token.type === 'hr') {
        y += 12
        blocks.push({ x, y, size: body, runs: [], images: [], isRule: true })
        y += 8
      } else if (token.type === 'code') {
        for (const text of (token as Tokens.Code).text.split('\n'))
          lines(splitWords(text, plain), { size: 13, x: x + indent })
      } else if (token.type === 'table') {
        table(token as Tokens.Table, x)
        y += 6
      } else if (token.type !== 'space' && token.type !== 'def') {
        lines(collectWords('tokens' in token && token.tokens ? token.tokens : [token], plain, findImage), { x })
        y += 6
      }
    }
  }
  take(readTokens(markdown), 0)
  return { blocks, height: y }
}

/** Thousands of nested blocks exceed the stack of the parser; such a text is one paragraph. */
function readTokens(markdown: string): Token[] {
  try {
    return lexer(markdown)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return [{ type: 'text', raw: markdown, text: markdown }]
  }
}

/** Bold letters are slightly wider. */
const measureText = (text: string, size: number, weight: number) =>
  textWidth(text, size, { isTabular: true }) * (weight > 400 ? 1.05 : 1)

/** Width of the longest line that words need without a break. */
function measureLine(words: readonly Word[]): number {
  let [longest, own] = [0, 0]
  for (const { text, weight, image } of words) {
    if (text === '\n') own = 0
    else own += image ? image.width : text === ' ' ? textWidth(' ', body) : measureText(text, body, weight)
    longest = Math.max(longest, own)
  }
  return longest
}

/** Narrows the widest columns of a table until all of them fit. */
function fitColumns(wanted: readonly number[], room: number): number[] {
  if (wanted.reduce((sum, each) => sum + each, 0) <= room) return [...wanted]
  const share = room / wanted.length
  const narrow = wanted.filter((each) => each <= share)
  const rest = room - narrow.reduce((sum, each) => sum + each, 0)
  return wanted.map((each) => (each <= share ? each : rest / (wanted.length - narrow.length)))
}

/** Splits a text into words, spaces and line breaks. */
const splitWords = (text: string, style: WordStyle): Word[] =>
  text
    .split(/(\n|[^\S\n]+)/)
    .filter((part) => part !== '')
    .map((part) => ({ text: part === '\n' || part.trim() !== '' ? part : ' ', ...style }))

/** Returns the images of an HTML fragment. */
const collectHtmlImages = (html: string, style: WordStyle, findImage: FindImage): Word[] =>
  [...html.matchAll(/<img\s[^>]{0,4000}>/gi)].flatMap(([tag]) => {
    const given = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s>]+)`, 'i').exec(tag)?.[1]
    const image = findImage(given('src') ?? '', Number.parseFloat(given('width') ?? '') || undefined)
    return image ? [{ text: '', ...style, image }] : []
  })

function collectWords(tokens: readonly Token[], style: WordStyle, findImage: FindImage): Word[] {
  return tokens.flatMap((token): Word[] => {
    if (token.type === 'br') return [{ text: '\n', ...style }]
    if (token.type === 'html') return collectHtmlImages(token.raw, style, findImage)
    if (token.type === 'image') {
      const { href, text } = token as Tokens.Image
      const image = findImage(href)
      return image ? [{ text: '', ...style, image }] : splitWords(`[${text}]`, style)
    }
    const own = {
      ...style,
      ...(token.type === 'strong' && { weight: 600 }),
      ...(token.type === 'del' && { isStruck: true }),
    }
    if ('tokens' in token && token.tokens) return collectWords(token.tokens, own, findImage)
    return 'text' in token && typeof token.text === 'string' ? splitWords(decoded(token.text), own) : []
  })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }
const decoded = (text: string) => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
