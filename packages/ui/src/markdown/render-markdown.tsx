import { Fragment, type ReactNode } from 'react'
import { renderHtml, OpenTags } from './render-html.ts'
import { renderImage } from './images.ts'
import { isSafeHref } from './safe-href.ts'

export interface MarkdownOptions {
  /** If false, HTML is shown as text. */
  html: boolean
  /** The text is in its own shadow root: elements keep `class`, `id` and `style`, and text between tags is not Markdown. */
  isolated?: boolean
  /** Hosts whose images are shown; other images become links with their alternative text. Defaults to all hosts. */
  imageHosts?: readonly string[]
}

/** Converts Markdown to React elements, with the HTML allowed by `render-html.ts`. */
export const renderMarkdown = (text: string, options: MarkdownOptions): ReactNode[] => renderBlocks(text, options, 0)

/** Maximum nesting of quotes; deeper ones are shown as text. */
const maxQuoteDepth = 20

function renderBlocks(text: string, options: MarkdownOptions, depth: number): ReactNode[] {
  const { html, isolated = false } = options
  const { imageHosts } = options
  const plain = (text: string) => inlineText(text, imageHosts)
  const inline = html ? (line: string) => renderHtml(line, plain, isolated, imageHosts) : plain
  const inTags = isolated
    ? (text: string): ReactNode[] => [text]
    : (text: string) => renderBetweenTags(text, imageHosts)
  const lines = text.replaceAll('\r\n', '\n').split('\n')
  const found: ReactNode[] = []
  let at = 0
  const take = (fits: (line: string) => boolean): string[] => {
    const from = at
    while (at < lines.length && fits(lines[at] ?? '')) at++
    return lines.slice(from, at)
  }
  while (at < lines.length) {
    const line = lines[at] ?? ''
    const key = at
    const heading = /^(#{1,6})\s+(.*)$/.exec(line)
    if (/^\s*$/.test(line)) at++
    else if (line.startsWith('```')) {
      at++
      const code = take((each) => !each.startsWith('```'))
      at++
      found.push(<pre key={key}>{code.join('\n')}</pre>)
    } else if (heading) {
      at++
      const Heading = `h${Math.min(6, (heading[1]?.length ?? 1) + 1)}` as 'h2'
      found.push(<Heading key={key}>{inline(heading[2] ?? '')}</Heading>)
    } else if (/^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/.test(line)) {
      at++
      found.push(<hr key={key} />)
    } else if (html && /^\s*<[a-z!]/i.test(line)) {
      const chunk: string[] = []
      const tags = new OpenTags()
      do {
        const piece = [...take((each) => !/^\s*$/.test(each)), ...take((each) => /^\s*$/.test(each))]
        for (const each of piece) chunk.push(each)
        tags.read(`${piece.join('\n')}\n`)
      } while (at < lines.length && tags.hasOpen)
      const nodes = renderHtml(chunk.join('\n').trim(), inTags, isolated, imageHosts)
      found.push(isolated ? <Fragment key={key}>{nodes}</Fragment> : <div key={key}>{nodes}</div>)
    } else if (bullet.test(line))
      found.push(
        <ul key={key}>
          {items(
            take((each) => bullet.test(each)),
            bullet,
            inline,
          )}
        </ul>,
      )
    else if (numbered.test(line))
      found.push(
        <ol key={key}>
          {items(
            take((each) => numbered.test(each)),
            numbered,
            inline,
          )}
        </ol>,
      )
    else if (line.startsWith('>') && depth < maxQuoteDepth) {
      const quoted = take((each) => each.startsWith('>')).map((each) => each.replace(/^>\s?/, ''))
      found.push(<blockquote key={key}>{renderBlocks(quoted.join('\n'), options, depth + 1)}</blockquote>)
    } else found.push(<p key={key}>{inline(take((each) => isPlain(each)).join('\n') || (lines[at++] ?? ''))}</p>)
  }
  return found
}

const bullet = /^\s*[-*+]\s+/
const numbered = /^\s*\d+[.)]\s+/
const isPlain = (line: string) =>
  !/^\s*$/.test(line) &&
  !/^#{1,6}\s/.test(line) &&
  !line.startsWith('```') &&
  !line.startsWith('>') &&
  !bullet.test(line) &&
  !numbered.test(line)

const items = (lines: string[], mark: RegExp, inline: (text: string) => ReactNode[]) =>
  lines.map((line, at) => <li key={at}>{inline(line.replace(mark, ''))}</li>)

const image = String.raw`!\[[^[\]]{0,1000}\]\([^)\s[]{1,4000}(?:\s+"[^"]*")?\)`
const spans = new RegExp(
  [
    '(`[^`]+`)',
    String.raw`(\*\*[^*]+\*\*)`,
    String.raw`(\*[^*\s][^*]*\*|(?<![\p{L}\d])_[^_\s][^_]*_(?![\p{L}\d]))`,
    `(${image})`,
    String.raw`\[([^[\]]+|${image})\]\(([^)\s]{1,4000})\)`,
  ].join('|'),
  'u',
)

/** Converts the text between block tags: with a blank line in it, it is parsed as blocks. */
const renderBetweenTags = (text: string, imageHosts: MarkdownOptions['imageHosts']): ReactNode[] =>
  /\n\s*\n/.test(text)
    ? renderMarkdown(text, { html: true, ...(imageHosts && { imageHosts }) })
    : inlineText(text, imageHosts)

function inlineText(text: string, imageHosts: MarkdownOptions['imageHosts']): ReactNode[] {
  const found: ReactNode[] = []
  let rest = text
  for (let match = spans.exec(rest); match; match = spans.exec(rest)) {
    const [whole, code, strong, emphasis, picture, label = '', href = ''] = match
    found.push(rest.slice(0, match.index))
    if (code) found.push(<code>{code.slice(1, -1)}</code>)
    else if (strong) found.push(<strong>{inlineText(strong.slice(2, -2), imageHosts)}</strong>)
    else if (emphasis) found.push(<em>{inlineText(emphasis.slice(1, -1), imageHosts)}</em>)
    else if (picture) found.push(renderMarkdownImage(picture, imageHosts) ?? whole)
    else
      found.push(
        isSafeHref(href) ? (
          <a href={href} rel="noreferrer">
            {label.startsWith('!') ? (renderMarkdownImage(label, imageHosts) ?? label) : label}
          </a>
        ) : (
          whole
        ),
      )
    rest = rest.slice(match.index + whole.length)
  }
  return [...found, rest].map((part, at) => <Fragment key={at}>{part}</Fragment>)
}

/** Parses `![words](address "title")`; undefined for an invalid address. */
function renderMarkdownImage(text: string, imageHosts: MarkdownOptions['imageHosts']): ReactNode {
  const [, alt = '', src = '', title] = /^!\[([^[\]]*)\]\(([^)\s]+)(?:\s+"([^"]*)")?\)$/.exec(text) ?? []
  return isSafeHref(src) ? renderImage({ src, alt, ...(title && { title }) }, imageHosts) : undefined
}
