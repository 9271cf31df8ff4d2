import { imageTypes, layoutNode } from '@parquetry/model'
import { Button, Popover, Spinner, useTranslate } from '@parquetry/ui'
import { useRef, useState, type ClipboardEvent, type DragEvent, type FocusEvent } from 'react'
import { MarkdownBlock, type TextBlockProps } from '../grid/MarkdownBlock.tsx'
import { setMeta } from '../layout/commands.ts'
import { ImageSourceForm } from './ImageSourceForm.tsx'
import { isDraggingImages, extractImages, useAddImages } from './use-add-images.ts'
import { useEdit } from './use-edit.ts'
import { usePendingEdit } from './use-pending-edit.ts'
import styles from './TextEditor.module.css'

const accepted = Object.keys(imageTypes).join(',')

/** Appends an image to a text as its own paragraph. */
const withImage = (text: string, image: string): string =>
  text.trim() === '' ? image : `${text.trimEnd()}\n\n${image}`

/**
 * Edits the text of a node in place; leaving the field, with Escape too, shows the rendered text. Images can be chosen, pasted,
 * dropped or fetched.
 */
export function TextEditor({ node, html }: TextBlockProps) {
  const t = useTranslate()
  const edit = useEdit()
  const code = node.meta.code ?? ''
  const [draft, setDraft] = useState<string | null>(null)
  usePendingEdit(node.id, 'code', draft)
  const [isUrlFormOpen, setUrlFormOpen] = useState(false)
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const files = useRef<HTMLInputElement>(null)
  const isLeftByKey = useRef(false)

  const saveText = (text: string) => {
    if (text !== code) edit((nodes) => setMeta(nodes, node.id, { code: text }))
  }
  const { adding, addFiles, addUrl } = useAddImages((image) => {
    const area = field.current
    if (area) {
      area.setRangeText(image, area.selectionStart, area.selectionEnd, 'end')
      setDraft(area.value)
      // Text typed while the field has the focus is saved on blur.
      if (document.activeElement !== area) saveText(area.value)
    } else
      edit((nodes) => setMeta(nodes, node.id, { code: withImage(layoutNode(nodes, node.id)?.meta.code ?? '', image) }))
  })

  const focusAfterKey = (button: HTMLButtonElement | null) => {
    if (button && isLeftByKey.current) button.focus()
    isLeftByKey.current = false
  }
  const leave = ({ currentTarget, target, relatedTarget }: FocusEvent) => {
    // React also reports blur events of the popover, which is elsewhere in the DOM.
    if (draft === null || !currentTarget.contains(target)) return
    saveText(draft)
    // Editing continues after switching windows or choosing files.
    if (!isUrlFormOpen && !currentTarget.contains(relatedTarget) && document.hasFocus()) setDraft(null)
  }
  const back = () => {
    setUrlFormOpen(false)
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
        // The field keeps the focus, and its caret marks where the image is inserted.
        onMouseDown={(event) => {
          if (event.currentTarget.contains(event.target as Node)) event.preventDefault()
        }}
      >
        <Popover
          open={isUrlFormOpen}
          onClose={back}
          label={t('dashboard.image.add', 'Add image')}
          width={320}
          anchor={
            <Button variant="quiet" icon="image" onClick={() => setUrlFormOpen(!isUrlFormOpen)}>
              {t('dashboard.image.add', 'Add image')}
            </Button>
          }
        >
          <ImageSourceForm
            onChoose={() => {
              setUrlFormOpen(false)
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
