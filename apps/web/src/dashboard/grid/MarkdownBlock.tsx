import type { LayoutNode } from '@parquetry/model'
import { Button, useTranslate } from '@parquetry/ui'
import { useLayoutEffect, useRef, useState } from 'react'
import { Markdown } from '../../shared/Markdown.tsx'
import { imageHosts } from './image-hosts.ts'
import styles from './Grid.module.css'

export interface TextBlockProps {
  node: LayoutNode
  /** If false, HTML in the text is shown as text. */
  html: boolean
}

/** Renders the text of a layout. A text that is longer than its block says so, and can be opened. */
export function MarkdownBlock({ node, html }: TextBlockProps) {
  const t = useTranslate()
  const box = useRef<HTMLDivElement>(null)
  const [isCut, setCut] = useState(false)
  const [isOpened, setOpened] = useState(false)
  useLayoutEffect(() => {
    const element = box.current as HTMLDivElement
    const measure = () => setCut(isTextCut(element))
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    for (const child of element.children) observer.observe(child)
    // The text replaces its placeholder once the parser is loaded.
    const added = new MutationObserver(() => {
      for (const child of element.children) observer.observe(child)
    })
    added.observe(element, { childList: true })
    return () => {
      observer.disconnect()
      added.disconnect()
    }
  }, [])
  return (
    <div className={styles.fold} data-cut={(isCut && !isOpened) || undefined} data-opened={isOpened || undefined}>
      <div
        ref={box}
        className={`${styles.markdown} dashboard-markdown`}
        {...(isCut && { role: 'group', 'aria-label': t('dashboard.text', 'Text'), tabIndex: 0 })}
      >
        <Markdown text={node.meta.code ?? ''} html={html} imageHosts={imageHosts} />
      </div>
      {(isCut || isOpened) && (
        <div className={styles.more}>
          <Button onClick={() => setOpened(!isOpened)} aria-expanded={isOpened}>
            {isOpened ? t('dashboard.text.less', 'Show less') : t('dashboard.text.all', 'Show all')}
          </Button>
        </div>
      )}
    </div>
  )
}

/** True if part of the text is outside of the box, with a tolerance for what fonts add to a line. */
function isTextCut(box: HTMLElement): boolean {
  const last = box.lastElementChild
  if (!last) return false
  const room = box.clientHeight - Number.parseFloat(getComputedStyle(box).paddingTop)
  return last.getBoundingClientRect().height > room + 4
}
