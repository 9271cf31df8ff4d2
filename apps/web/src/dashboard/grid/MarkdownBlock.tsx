import { markdownOf } from '@parquetry/ui'
import { useMemo } from 'react'
import styles from './Grid.module.css'

/**
 * Text of an imported layout, shown: headings, paragraphs, lists, quotes, code, emphasis and links.
 * @param html false shows HTML as text
 */
export function MarkdownBlock({ text, html }: { text: string; html: boolean }) {
  return <div className={styles.markdown}>{useMemo(() => markdownOf(text, { html }), [text, html])}</div>
}
