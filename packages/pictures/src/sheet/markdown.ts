import { textWidth } from '@parquetry/charts/draw'
import { lexer, type Token, type Tokens } from 'marked'

/** A line of a text, positioned from the top of the text. */
export interface TextBlock {
  x: number
  /** Position of the baseline. */
  y: number
  size: number
  runs: { text: string; weight: number; x: number }[]
  images: { href: string; x: number; y: number; width: number; height: number }[]
  /** A horizontal rule instead of text. */
  isRule?: boolean
}

const body = 14
const sizes = [22, 19, 16, 14, 14, 14]
const leading = 1.5
const indent = 20

interface Word {
  text: string
  weight: number
  image?: ImageBox
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
 * Lays out Markdown in lines of a given width: headings, paragraphs, lists, quotes, code, table rows and images. HTML is reduced
 * to its text, missing images to their alternative text.
 */
export function layOutMarkdown(
  markdown: string,
  width: number,
  findImage: FindImage,
): { blocks: TextBlock[]; height: number } {
  const blocks: TextBlock[] = []
  let y = 0

  const lines = (words: readonly Word[], { size = body, x = 0, mark = '' } = {}) => {
    let line: TextBlock['runs'] = []
    let images: TextBlock['images'] = []
    let at = 0
    const flush = () => {
      if (line.length === 0 && images.length === 0) return
      y += Math.max(size * leading, ...images.map(({ height }) => height + 4))
      const placed = images.map((image) => ({ ...image, y: y - image.height - 2 }))
      blocks.push({ x, y: y - size * (leading - 1), size, runs: line, images: placed })
      line = []
      images = []
      at = 0
    }
    if (mark !== '') line.push({ text: mark, weight: 400, x: -indent * 0.7 })
    for (const { text, weight, image } of words) {
      if (text === '\n') {
        flush()
        continue
      }
      const own = image ? Math.min(image.width, width - x) : measureText(text, size, weight)
      if (at > 0 && at + own > width - x) flush()
      if (image) images.push({ href: image.href, x: at, y: 0, width: own, height: (own * image.height) / image.width })
      else line.push({ text, weight, x: at })
      at += own + textWidth(' ', size)
    }
    flush()
  }

  const take = (tokens: readonly Token[], x: number) => {
    for (const token of tokens) {
      if (token.type === 'heading') {
        const { depth, tokens: inside } = token as Tokens.Heading
        if (y > 0) y += 6
        lines(collectWords(inside, 600, findImage), { size: sizes[depth - 1] ?? body, x })
        y += 4
      } else if (token.type === 'list') {
        const { items, ordered, start } = token as Tokens.List
        for (const [at, item] of items.entries()) {
          const [first, ...rest] = item.tokens
          const inline = first && 'tokens' in first ? (first.tokens ?? []) : []
          lines(collectWords(inline, 400, findImage), {
            x: x + indent,
            mark: ordered ? `${Number(start || 1) + at}.` : '•',
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
          lines(splitWords(text, 400), { size: 13, x: x + indent })
      } else if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        for (const [at, cells] of [header, ...rows].entries())
          lines(
            cells.flatMap((cell, n) => [
              ...(n > 0 ? [{ text: '·', weight: 400 }] : []),
              ...collectWords(cell.tokens, at === 0 ? 600 : 400, findImage),
            ]),
            { x },
          )
      } else if (token.type !== 'space' && token.type !== 'def') {
        lines(collectWords('tokens' in token && token.tokens ? token.tokens : [token], 400, findImage), { x })
        y += 6
      }
    }
  }
  take(lexer(markdown), 0)
  return { blocks, height: y }
}

/** Bold letters are slightly wider. */
const measureText = (text: string, size: number, weight: number) =>
  textWidth(text, size, { isTabular: true }) * (weight > 400 ? 1.05 : 1)

const splitWords = (text: string, weight: number): Word[] =>
  text.split(/[^\S\n]+/).flatMap((word) =>
    word
      .split(/(\n)/)
      .filter((part) => part !== '')
      .map((part) => ({ text: part, weight })),
  )

/** Returns the images of an HTML fragment. */
const collectHtmlImages = (html: string, weight: number, findImage: FindImage): Word[] =>
  [...html.matchAll(/<img\s[^>]{0,4000}>/gi)].flatMap(([tag]) => {
    const given = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']?([^"'\\s>]+)`, 'i').exec(tag)?.[1]
    const image = findImage(given('src') ?? '', Number.parseFloat(given('width') ?? '') || undefined)
    return image ? [{ text: '', weight, image }] : []
  })

function collectWords(tokens: readonly Token[], weight: number, findImage: FindImage): Word[] {
  return tokens.flatMap((token): Word[] => {
    if (token.type === 'br') return [{ text: '\n', weight }]
    if (token.type === 'html') return collectHtmlImages(token.raw, weight, findImage)
    if (token.type === 'image') {
      const { href, text } = token as Tokens.Image
      const image = findImage(href)
      return image ? [{ text: '', weight, image }] : splitWords(`[${text}]`, weight)
    }
    const own = token.type === 'strong' ? 600 : weight
    if ('tokens' in token && token.tokens) return collectWords(token.tokens, own, findImage)
    return 'text' in token && typeof token.text === 'string' ? splitWords(decoded(token.text), own) : []
  })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }
const decoded = (text: string) => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
