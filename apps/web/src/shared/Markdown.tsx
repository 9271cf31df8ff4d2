import type { MarkdownProps } from '@parquetry/ui/markdown/Markdown.tsx'
import { Suspense } from 'react'
import { lazyComponent } from './lazy-component.tsx'

const Rendered = lazyComponent(async () => (await import('@parquetry/ui/markdown/Markdown.tsx')).Markdown)

/** GitHub-flavored Markdown. The text takes up its space while the parser is loading. */
export const Markdown = (props: MarkdownProps) => (
  <Suspense fallback={<div style={{ visibility: 'hidden', whiteSpace: 'pre-wrap' }}>{props.text}</div>}>
    <Rendered {...props} />
  </Suspense>
)
