import type { LayoutNode } from '@parquetry/model'
import { markdownOf, useText } from '@parquetry/ui'
import { useMemo, useRef, useState } from 'react'
import { boot } from '../../shared/boot.ts'
import { useEdit } from '../edit/use-edit.ts'
import { setMeta } from '../layout/commands.ts'
import { useBoard } from '../state/context.ts'
import styles from './Grid.module.css'

/**
 * Text of a layout, shown: headings, paragraphs, lists, quotes, code, emphasis and links.
 * @param html false shows HTML as text
 * @param imageHosts hosts whose pictures are shown; of others a link stands there
 */
export function MarkdownBlock({
  text,
  html,
  imageHosts = [],
}: {
  text: string
  html: boolean
  imageHosts?: readonly string[]
}) {
  return (
    <div className={`${styles.markdown} dashboard-markdown`}>
      {useMemo(() => markdownOf(text, { html, imageHosts }), [text, html, imageHosts])}
    </div>
  )
}

const { IMAGE_HOSTS } = boot.common.conf
const knownHosts = Array.isArray(IMAGE_HOSTS) ? IMAGE_HOSTS.map(String) : []

/** The text of a node; while the dashboard is edited it is written in its place, and shown as soon as the field is left, by Escape too. */
export function TextBlock({ node, html }: { node: LayoutNode; html: boolean }) {
  const t = useText()
  const isEditing = useBoard((state) => state.isEditing)
  const edit = useEdit()
  const [draft, setDraft] = useState<string | null>(null)
  const isLeftByKey = useRef(false)
  const code = node.meta.code ?? ''
  const focusAfterKey = (button: HTMLButtonElement | null) => {
    if (button && isLeftByKey.current) button.focus()
    isLeftByKey.current = false
  }
  if (!isEditing) return <MarkdownBlock text={code} html={html} imageHosts={knownHosts} />
  const finish = () => {
    if (draft !== null && draft !== code) edit((nodes) => setMeta(nodes, node.id, { code: draft }))
    setDraft(null)
  }
  if (draft !== null) {
    return (
      <textarea
        className={styles.textField}
        aria-label={t('dashboard.textSource', 'Text, written in Markdown')}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onBlur={finish}
        data-keeps-escape
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
          isLeftByKey.current = true
          event.currentTarget.blur()
        }}
      />
    )
  }
  return (
    <div className={styles.textShown} data-empty={code === '' || undefined}>
      <MarkdownBlock text={code} html={html} imageHosts={knownHosts} />
      <button type="button" ref={focusAfterKey} className={styles.textEdit} onClick={() => setDraft(code)}>
        {code === '' ? t('dashboard.writeText', 'Write text') : t('dashboard.editText', 'Edit text')}
      </button>
    </div>
  )
}
