import { Fragment, useMemo, type ReactNode } from 'react'
import { hasTags, htmlOf, openTags } from './markdown-html.ts'
import { safeHref } from './safe-href.ts'
import styles from './Grid.module.css'

/**
 * Text of an imported layout, shown: headings, paragraphs, lists, quotes, code, emphasis and links. Everything becomes React
 * elements, of its HTML what `markdown-html.ts` allows.
 * @param html false shows HTML as text
 */
export function MarkdownBlock({ text, html }: { text: string; html: boolean }) {
  return <div className={styles.markdown}>{useMemo(() => blocks(text, html), [text, html])}</div>
}

function blocks(text: string, html: boolean): ReactNode[] {
  const inline = html ? inlineHtml : inlineText
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
      do chunk.push(...take((each) => !/^\s*$/.test(each)), ...take((each) => /^\s*$/.test(each)))
      while (at < lines.length && openTags(chunk.join('\n')) > 0)
      found.push(<div key={key}>{htmlOf(chunk.join('\n').trim(), between)}</div>)
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
    else if (line.startsWith('>')) {
      const quoted = take((each) => each.startsWith('>')).map((each) => each.replace(/^>\s?/, ''))
      found.push(<blockquote key={key}>{blocks(quoted.join('\n'), html)}</blockquote>)
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

const spans = /(`[^`]+`)|(\*\*[^*]+\*\*)|(\*[^*\s][^*]*\*|_[^_\s][^_]*_)|\[([^\]]+)\]\(([^)\s]+)\)/

/** Text between the tags of a block: with an empty line in it, it is blocks of its own. */
const between = (text: string): ReactNode[] => (/\n\s*\n/.test(text) ? blocks(text, true) : inlineText(text))

const inlineHtml = (text: string): ReactNode[] => (hasTags(text) ? htmlOf(text, inlineText) : inlineText(text))

function inlineText(text: string): ReactNode[] {
  const found: ReactNode[] = []
  let rest = text
  for (let match = spans.exec(rest); match; match = spans.exec(rest)) {
    const [whole, code, strong, emphasis, label, href] = match
    found.push(rest.slice(0, match.index))
    if (code) found.push(<code>{code.slice(1, -1)}</code>)
    else if (strong) found.push(<strong>{inlineText(strong.slice(2, -2))}</strong>)
    else if (emphasis) found.push(<em>{inlineText(emphasis.slice(1, -1))}</em>)
    else
      found.push(
        safeHref(href ?? '') ? (
          <a href={href} rel="noreferrer">
            {label}
          </a>
        ) : (
          whole
        ),
      )
    rest = rest.slice(match.index + whole.length)
  }
  return [...found, rest].map((part, at) => <Fragment key={at}>{part}</Fragment>)
}
