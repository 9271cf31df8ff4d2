import { useMemo } from 'react'
import { renderMarkdown, type MarkdownOptions } from './render-markdown.ts'
import styles from './Markdown.module.css'

export interface MarkdownProps extends Omit<MarkdownOptions, 'isolated'> {
  text: string
}

/** GitHub-flavored Markdown with the styles of the product. It includes the parser, so pages load it on demand. */
export function Markdown({ text, html, imageHosts }: MarkdownProps) {
  const nodes = useMemo(
    () => renderMarkdown(text, { html, ...(imageHosts && { imageHosts }) }),
    [text, html, imageHosts],
  )
  return <div className={styles.markdown}>{nodes}</div>
}
