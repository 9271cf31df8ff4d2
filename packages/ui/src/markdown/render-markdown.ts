import { Marked, Renderer, Tokenizer, type MarkedOptions, type Tokens } from 'marked'
import type { ReactNode } from 'react'
import { OpenTags, renderHtml } from './render-html.ts'
import { isSafeHref } from './safe-href.ts'

export interface MarkdownOptions {
  /** If false, HTML is shown as text. */
  html: boolean
  /** The text is in its own shadow root: elements keep `class`, `id` and `style`, and text between tags is not Markdown. */
  isolated?: boolean
  /** Hosts whose images are shown; other images become links with their alternative text. Defaults to all hosts. */
  imageHosts?: readonly string[]
}

/** Converts GitHub-flavored Markdown to React elements, with the HTML allowed by `render-html.ts`. */
export function renderMarkdown(text: string, { html, isolated = false, imageHosts }: MarkdownOptions): ReactNode[] {
  if (hasTooManyMarks(text)) return [text]
  const markdown = isolated ? templateMarkdown : html ? markdownWithHtml : plainMarkdown
  try {
    return renderHtml(markdown.parse(text, { async: false }), { isolated, imageHosts })
  } catch (error) {
    // Thousands of nested blocks exceed the stack of the parser.
    if (error instanceof RangeError) return [text]
    throw error
  }
}

/** Most marks of emphasis in a text that is read as Markdown: the parser takes seconds for tens of thousands. */
const maxMarks = 10_000

function hasTooManyMarks(text: string): boolean {
  let count = 0
  for (const _ of text.matchAll(/[*_]/g)) if (++count > maxMarks) return true
  return false
}

/** Longest paragraph in which emphasis is read: the time that it takes grows with the square of the length. */
const maxEmphasisLength = 20_000

class TextTokenizer extends Tokenizer {
  override emStrong(...[src, masked, previous]: Parameters<Tokenizer['emStrong']>) {
    return masked.length > maxEmphasisLength ? undefined : super.emStrong(src, masked, previous)
  }
}

/** Leaves HTML as text. */
class PlainTokenizer extends TextTokenizer {
  override html = () => undefined
  override tag = () => undefined
}

/** Reads an element with all that is in it as HTML, whatever its indentation and blank lines. */
class TemplateTokenizer extends TextTokenizer {
  override code = () => undefined
  override html(src: string): Tokens.HTML | undefined {
    if (!/^\s*<[a-z!/]/i.test(src)) return undefined
    const tags = new OpenTags()
    let end = 0
    do {
      const [piece = src.slice(end)] = /[^]*?(?:\n\s*\n|$)/.exec(src.slice(end)) ?? []
      tags.read(piece)
      end += piece.length
    } while (end < src.length && tags.hasOpen)
    const raw = src.slice(0, end)
    return { type: 'html', block: true, pre: false, raw, text: raw }
  }
}

const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"]/g, (each) => escapes[each] as string)

class TextRenderer extends Renderer {
  /** The page has the only heading of the first level. */
  override heading({ depth, tokens }: Tokens.Heading): string {
    const name = `h${Math.min(6, depth + 1)}`
    return `<${name}>${this.parser.parseInline(tokens)}</${name}>`
  }
  override link(token: Tokens.Link): string {
    return isSafeHref(token.href) ? super.link(token) : escapeHtml(token.raw)
  }
  override image(token: Tokens.Image): string {
    return isSafeHref(token.href) ? super.image(token) : escapeHtml(token.raw)
  }
}

const createMarkdown = (tokenizer: MarkedOptions['tokenizer']): Marked => {
  const markdown = new Marked()
  markdown.setOptions({ gfm: true, tokenizer, renderer: new TextRenderer() })
  return markdown
}

const plainMarkdown = createMarkdown(new PlainTokenizer())
const markdownWithHtml = createMarkdown(new TextTokenizer())
const templateMarkdown = createMarkdown(new TemplateTokenizer())
