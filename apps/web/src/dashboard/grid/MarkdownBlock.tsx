import type { LayoutNode } from '@parquetry/model'
import { renderMarkdown } from '@parquetry/ui'
import { useMemo } from 'react'
import { imageHosts } from './image-hosts.ts'
import styles from './Grid.module.css'

export interface TextBlockProps {
  node: LayoutNode
  /** If false, HTML in the text is shown as text. */
  html: boolean
}

/** Renders the text of a layout: headings, paragraphs, lists, quotes, code, emphasis, links and images. */
export function MarkdownBlock({ node, html }: TextBlockProps) {
  const text = node.meta.code ?? ''
  return (
    <div className={`${styles.markdown} dashboard-markdown`}>
      {useMemo(() => renderMarkdown(text, { html, imageHosts }), [text, html])}
    </div>
  )
}
