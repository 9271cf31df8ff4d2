import { lexer, type Token, type Tokens } from 'marked'
import { escapeHtml } from '../../http/escape-html.ts'

/** Longest note that is read as Markdown. */
const maxLength = 20_000

/**
 * Converts the note of a report from Markdown to HTML for e-mails. HTML in it appears as text, images as their alternative text,
 * and links must be web or mail addresses.
 */
export function renderNote(markdown: string): string {
  if (markdown.length > maxLength) return renderPlain(markdown)
  try {
    return renderBlocks(lexer(markdown))
  } catch (error) {
    // Thousands of nested blocks exceed the stack of the parser.
    if (error instanceof RangeError) return renderPlain(markdown)
    throw error
  }
}

const renderPlain = (text: string): string => `<p>${escapeHtml(text).replaceAll('\n', '<br>')}</p>`

const renderBlocks = (tokens: readonly Token[]): string => tokens.map(renderBlock).join('')

function renderBlock(token: Token): string {
  switch (token.type) {
    case 'space':
    case 'def':
      return ''
    case 'heading':
      return `<h${(token as Tokens.Heading).depth}>${renderInline(token)}</h${(token as Tokens.Heading).depth}>`
    case 'paragraph':
      return `<p>${renderInline(token)}</p>`
    case 'blockquote':
      return `<blockquote>${renderBlocks((token as Tokens.Blockquote).tokens)}</blockquote>`
    case 'code':
      return `<pre>${escapeHtml((token as Tokens.Code).text)}</pre>`
    case 'hr':
      return '<hr>'
    case 'list':
      return renderList(token as Tokens.List)
    case 'table':
      return renderTable(token as Tokens.Table)
    case 'text':
      return renderInline(token)
    default:
      return `<p>${escapeHtml(token.raw)}</p>`
  }
}

const renderList = ({ ordered, items }: Tokens.List): string => {
  const tag = ordered ? 'ol' : 'ul'
  return `<${tag}>${items.map(({ tokens }) => `<li>${renderBlocks(tokens)}</li>`).join('')}</${tag}>`
}

const renderTable = ({ header, rows }: Tokens.Table): string => {
  const renderRow = (tag: 'th' | 'td', cells: readonly Tokens.TableCell[]) =>
    `<tr>${cells.map(({ tokens }) => `<${tag}>${renderInlines(tokens)}</${tag}>`).join('')}</tr>`
  return `<table>${renderRow('th', header)}${rows.map((cells) => renderRow('td', cells)).join('')}</table>`
}

const renderInline = (token: Token): string =>
  'tokens' in token && token.tokens ? renderInlines(token.tokens) : escapeText(token)

const renderInlines = (tokens: readonly Token[]): string => tokens.map(renderSpan).join('')

/** The lexer has replaced no entities, so `&amp;` is shown as it was written. */
const escapeText = (token: Token): string => escapeHtml('text' in token ? String(token.text) : token.raw)

const spanTags: Readonly<Record<string, string>> = { strong: 'strong', em: 'em', del: 'del' }

function renderSpan(token: Token): string {
  const tag = spanTags[token.type]
  if (tag) return `<${tag}>${renderInline(token)}</${tag}>`
  if (token.type === 'br') return '<br>'
  if (token.type === 'codespan') return `<code>${escapeText(token)}</code>`
  if (token.type === 'link') return renderLink(token as Tokens.Link)
  if (token.type === 'html') return escapeHtml(token.raw)
  return renderInline(token)
}

const renderLink = (link: Tokens.Link): string =>
  /^(https?:\/\/|mailto:)/i.test(link.href)
    ? `<a href="${escapeHtml(link.href)}" rel="noreferrer">${renderInline(link)}</a>`
    : renderInline(link)
