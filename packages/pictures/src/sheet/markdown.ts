import { textWidth } from '@parquetry/charts/draw'
import { lexer, type Token, type Tokens } from 'marked'

/** A line of a text, at its place from the top of the text. */
export interface TextBlock {
  x: number
  /** Of the baseline. */
  y: number
  size: number
  runs: { text: string; weight: number; x: number }[]
  /** A line across instead. */
  isRule?: boolean
}

const body = 14
const sizes = [22, 19, 16, 14, 14, 14]
const leading = 1.5
const indent = 20

interface Word {
  text: string
  weight: number
}

/** A markdown text in lines of a width: headings, paragraphs, lists, quotes, code, rows of tables; of HTML its text, of pictures their names. */
export function inText(markdown: string, width: number): { blocks: TextBlock[]; height: number } {
  const blocks: TextBlock[] = []
  let y = 0

  const lines = (words: readonly Word[], { size = body, x = 0, mark = '' } = {}) => {
    let line: TextBlock['runs'] = []
    let at = 0
    const flush = () => {
      if (line.length === 0) return
      y += size * leading
      blocks.push({ x, y: y - size * (leading - 1), size, runs: line })
      line = []
      at = 0
    }
    if (mark !== '') line.push({ text: mark, weight: 400, x: -indent * 0.7 })
    for (const { text, weight } of words) {
      if (text === '\n') {
        flush()
        continue
      }
      const own = widthOf(text, size, weight)
      if (at > 0 && at + own > width - x) flush()
      line.push({ text, weight, x: at })
      at += own + textWidth(' ', size)
    }
    flush()
  }

  const take = (tokens: readonly Token[], x: number) => {
    for (const token of tokens) {
      if (token.type === 'heading') {
        const { depth, tokens: inside } = token as Tokens.Heading
        if (y > 0) y += 6
        lines(wordsOf(inside, 600), { size: sizes[depth - 1] ?? body, x })
        y += 4
      } else if (token.type === 'list') {
        const { items, ordered, start } = token as Tokens.List
        for (const [at, item] of items.entries()) {
          const [first, ...rest] = item.tokens
          const inline = first && 'tokens' in first ? (first.tokens ?? []) : []
          lines(wordsOf(inline, 400), { x: x + indent, mark: ordered ? `${Number(start || 1) + at}.` : '•' })
          take(rest, x + indent)
        }
        y += 4
      } else if (token.type === 'blockquote') take((token as Tokens.Blockquote).tokens, x + indent)
      else if (token.type === 'hr') {
        y += 12
        blocks.push({ x, y, size: body, runs: [], isRule: true })
        y += 8
      } else if (token.type === 'code') {
        for (const text of (token as Tokens.Code).text.split('\n'))
          lines(cutWords(text, 400), { size: 13, x: x + indent })
      } else if (token.type === 'table') {
        const { header, rows } = token as Tokens.Table
        for (const [at, cells] of [header, ...rows].entries())
          lines(
            cells.flatMap((cell, n) => [
              ...(n > 0 ? [{ text: '·', weight: 400 }] : []),
              ...wordsOf(cell.tokens, at === 0 ? 600 : 400),
            ]),
            { x },
          )
      } else if (token.type !== 'space' && token.type !== 'def') {
        lines(wordsOf('tokens' in token && token.tokens ? token.tokens : [token], 400), { x })
        y += 6
      }
    }
  }
  take(lexer(markdown), 0)
  return { blocks, height: y }
}

/** Bolder letters are a little wider. */
const widthOf = (text: string, size: number, weight: number) =>
  textWidth(text, size, { isTabular: true }) * (weight > 400 ? 1.05 : 1)

const cutWords = (text: string, weight: number): Word[] =>
  text.split(/[^\S\n]+/).flatMap((word) =>
    word
      .split(/(\n)/)
      .filter((part) => part !== '')
      .map((part) => ({ text: part, weight })),
  )

function wordsOf(tokens: readonly Token[], weight: number): Word[] {
  return tokens.flatMap((token): Word[] => {
    if (token.type === 'br') return [{ text: '\n', weight }]
    if (token.type === 'html') return []
    if (token.type === 'image') return cutWords(`[${(token as Tokens.Image).text}]`, weight)
    const own = token.type === 'strong' ? 600 : weight
    if ('tokens' in token && token.tokens) return wordsOf(token.tokens, own)
    return 'text' in token && typeof token.text === 'string' ? cutWords(decoded(token.text), own) : []
  })
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', '#39': "'" }
const decoded = (text: string) => text.replaceAll(/&(#?\w+);/g, (whole, name: string) => entities[name] ?? whole)
