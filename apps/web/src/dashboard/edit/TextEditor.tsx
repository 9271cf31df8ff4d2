import { imageTypes, layoutNode } from '@parquetry/model'
import { Button, Popover, Spinner, useTranslate } from '@parquetry/ui'
import { useRef, useState, type ClipboardEvent, type DragEvent, type FocusEvent } from 'react'
import { MarkdownBlock, type TextProps } from '../grid/MarkdownBlock.tsx'
import { setMeta } from '../layout/commands.ts'
import { ImageSourceForm } from './ImageSourceForm.tsx'
import { isDraggingImages, extractImages, useAddImages } from './use-add-images.ts'
import { useEdit } from './use-edit.ts'
import { usePendingEdit } from './use-pending-edit.ts'
import styles from './TextEditor.module.css'

const accepted = Object.keys(imageTypes).join(',')

/** An image at the end of a text, as a paragraph of its own. */
const withImage = (text: string, image: string): string =>
  text.trim() === '' ? image : `${text.trimEnd()}\n\n${image}`

/**
 * The text of a node while the dashboard is edited: it is written in its place, and shown as soon as the field is left, by Escape too.
 * Images are chosen, pasted, dropped or fetched into it.
 */
export function TextEditor({ node, html }: TextProps) {
  const t = useTranslate()
  const edit = useEdit()
  const code = node.meta.code ?? ''
  const [draft, setDraft] = useState<string | null>(null)
  usePendingEdit(node.id, 'code', draft)
  const [isAsking, setAsking] = useState(false)
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const isLeftByKey = useRef(false)

  const keep = (text: string) => {
    if (text !== code) edit((nodes) => setMeta(nodes, node.id, { code: text }))
  }
  const { adding, addFiles, addUrl } = useAddImages((image) => {
    const area = field.current
    if (area) {
      area.setRangeText(image, area.selectionStart, area.selectionEnd, 'end')
      setDraft(area.value)
      // What is written while the field has the focus is kept when it is left.
      if (document.activeElement !== area) keep(area.value)
    } else
      edit((nodes) => setMeta(nodes, node.id, { code: withImage(layoutNode(nodes, node.id)?.meta.code ?? '', image) }))
  })

  const focusAfterKey = (button: HTMLButtonElement | null) => {
    if (button && isLeftByKey.current) button.focus()
    isLeftByKey.current = false
  }
  const leave = ({ currentTarget, target, relatedTarget }: FocusEvent) => {
    // Of the popover, which stands elsewhere on the page, React tells as well.
    if (draft === null || !currentTarget.contains(target)) return
    keep(draft)
    // Who goes to another window, or to one in which files are chosen, comes back to what he was writing.
    if (!isAsking && !currentTarget.contains(relatedTarget) && document.hasFocus()) setDraft(null)
  }
  const back = () => {
    setAsking(false)
    field.current?.focus()
  }
  const taking = {
    onDragOver: (event: DragEvent) => {
      if (!isDraggingImages(event.dataTransfer)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'copy'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      take(event, event.dataTransfer)
    },
  }
  const take = (event: DragEvent | ClipboardEvent, data: DataTransfer) => {
    const images = extractImages(data)
    if (images.length === 0) return
    event.preventDefault()
    addFiles(images)
  }
  const state = adding.length > 0 && (
    <span className={styles.state} role="status">
      <Spinner />
      {t('dashboard.image.adding', 'Adding {name}…', { name: adding.join(', ') })}
    </span>
  )

  if (draft === null) {
    return (
      <div className={styles.shown} data-empty={code === '' || undefined} data-over={isOver || undefined} {...taking}>
        <MarkdownBlock node={node} html={html} />
        {state}
        <button type="button" ref={focusAfterKey} className={styles.edit} onClick={() => setDraft(code)}>
          {code === '' ? t('dashboard.writeText', 'Write text') : t('dashboard.editText', 'Edit text')}
        </button>
      </div>
    )
  }
  return (
    <div className={styles.writing} data-over={isOver || undefined} onBlur={leave} {...taking}>
      <textarea
        ref={field}
        className={styles.field}
        aria-label={t('dashboard.textSource', 'Text (Markdown)')}
        value={draft}
        autoFocus
        onChange={(event) => setDraft(event.target.value)}
        onPaste={(event) => take(event, event.clipboardData)}
        data-keeps-escape
        onKeyDown={(event) => {
          if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
          isLeftByKey.current = true
          event.currentTarget.blur()
        }}
      />
      <div
        className={styles.tools}
        // The field keeps the focus, and its caret the place where the image goes.
        onMouseDown={(event) => {
          if (event.currentTarget.contains(event.target as Node)) event.preventDefault()
        }}
      >
        <Popover
          open={isAsking}
          onClose={back}
          label={t('dashboard.image.add', 'Add image')}
          width={320}
          anchor={
            <Button variant="quiet" icon="image" onClick={() => setAsking(!isAsking)}>
              {t('dashboard.image.add', 'Add image')}
            </Button>
          }
        >
          <ImageSourceForm
            onChoose={() => {
              setAsking(false)
              files.current?.click()
            }}
            onAddress={addUrl}
            onDone={back}
          />
        </Popover>
        {state}
        <input
          ref={files}
          type="file"
          hidden
          multiple
          accept={accepted}
          aria-label={t('dashboard.image.choose', 'Choose a file')}
          onChange={({ target }) => {
            addFiles([...(target.files ?? [])])
            target.value = ''
            field.current?.focus()
          }}
        />
      </div>
    </div>
  )
}
