import { imageTypes, layoutNode } from '@parquetry/model'
import { Popover, IconButton, SegmentedControl, Spinner, useTranslate } from '@parquetry/ui'
import { useRef, useState, type ClipboardEvent, type DragEvent, type FocusEvent, type KeyboardEvent } from 'react'
import { flushSync } from 'react-dom'
import { Markdown } from '../../shared/Markdown.tsx'
import { imageHosts } from '../grid/image-hosts.ts'
import { MarkdownBlock, type TextBlockProps } from '../grid/MarkdownBlock.tsx'
import { setMeta } from '../layout/commands.ts'
import { formatText, type TextEdit, type TextFormat } from './format-text.ts'
import { ImageSourceForm } from './ImageSourceForm.tsx'
import { findFormat, TextToolbar } from './TextToolbar.tsx'
import { isDraggingImages, extractImages, useAddImages } from './use-add-images.ts'
import { useEdit } from './use-edit.ts'
import { usePendingEdit } from './use-pending-edit.ts'
import styles from './TextEditor.module.css'

const accepted = Object.keys(imageTypes).join(',')

/** Appends an image to a text as its own paragraph. */
const withImage = (text: string, image: string): string =>
  text.trim() === '' ? image : `${text.trimEnd()}\n\n${image}`

/** Changes the text of a field as if it was typed, so that the undo of the field includes it. */
function applyEdit(area: HTMLTextAreaElement, { from, to, insert, start, end }: TextEdit): void {
  area.focus()
  area.setSelectionRange(from, to)
  // The only way that keeps the undo history of a field.
  const isTyped = insert === '' ? document.execCommand('delete') : document.execCommand('insertText', false, insert)
  if (!isTyped && from !== to) area.setRangeText(insert, from, to)
  area.setSelectionRange(start, end)
}

/**
 * Edits the text of a node in place, with a preview beside the field, or instead of it where there is no room for both. Leaving
 * the field, with Escape too, shows the rendered text. Images can be chosen, pasted, dropped or fetched.
 */
export function TextEditor({ node, html }: TextBlockProps) {
  const t = useTranslate()
  const edit = useEdit()
  const code = node.meta.code ?? ''
  const [draft, setDraft] = useState<string | null>(null)
  usePendingEdit(node.id, 'code', draft)
  const [view, setView] = useState<'write' | 'preview'>('write')
  const [isUrlFormOpen, setUrlFormOpen] = useState(false)
  const [isOver, setOver] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const preview = useRef<HTMLDivElement>(null)
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

  const format = (kind: TextFormat) => {
    const area = field.current
    if (!area) return
    flushSync(() => setView('write'))
    const { value: text, selectionStart: start, selectionEnd: end } = area
    applyEdit(area, formatText(kind, { text, start, end }, t('dashboard.format.column', 'Column')))
    setDraft(area.value)
  }
  /** The focus stays within the editor when its field is hidden, since leaving it ends editing. */
  const show = (next: 'write' | 'preview') => {
    const hasFocus = [field.current, preview.current].includes(document.activeElement as HTMLTextAreaElement)
    flushSync(() => setView(next))
    if (hasFocus) (next === 'write' ? field : preview).current?.focus()
  }
  const leaveByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && !(event.key === 'Enter' && (event.ctrlKey || event.metaKey))) return
    isLeftByKey.current = true
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
  }
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
        <button
          type="button"
          ref={focusAfterKey}
          className={styles.edit}
          onClick={() => {
            setView('write')
            setDraft(code)
          }}
        >
          {code === '' ? t('dashboard.writeText', 'Write text') : t('dashboard.editText', 'Edit text')}
        </button>
      </div>
    )
  }
  return (
    <div
      className={styles.writing}
      data-over={isOver || undefined}
      data-keeps-escape
      onBlur={leave}
      {...taking}
      onKeyDown={(event) => {
        if (event.currentTarget.contains(event.target as Node)) leaveByKey(event)
      }}
    >
      <div
        className={styles.head}
        // The field keeps the focus and its selection.
        onMouseDown={(event) => {
          if (event.currentTarget.contains(event.target as Node)) event.preventDefault()
        }}
      >
        <TextToolbar onFormat={format}>
          <Popover
            open={isUrlFormOpen}
            onClose={back}
            label={t('dashboard.image.add', 'Add image')}
            width={320}
            anchor={
              <IconButton
                icon="image"
                label={t('dashboard.image.add', 'Add image')}
                aria-expanded={isUrlFormOpen}
                onClick={() => setUrlFormOpen(!isUrlFormOpen)}
              />
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
        </TextToolbar>
        <div className={styles.view}>
          <SegmentedControl
            label={t('dashboard.text.view', 'View')}
            value={view}
            onChange={show}
            options={[
              { value: 'write', label: t('dashboard.text.write', 'Write') },
              { value: 'preview', label: t('dashboard.text.preview', 'Preview') },
            ]}
          />
        </div>
      </div>
      <div className={styles.panes} data-view={view}>
        <textarea
          ref={field}
          className={styles.field}
          aria-label={t('dashboard.textSource', 'Text (Markdown)')}
          value={draft}
          autoFocus
          onChange={(event) => setDraft(event.target.value)}
          onPaste={(event) => take(event, event.clipboardData)}
          onKeyDown={(event) => {
            const kind = findFormat(event)
            if (!kind) return
            event.preventDefault()
            format(kind)
          }}
        />
        <div
          ref={preview}
          className={styles.preview}
          role="region"
          aria-label={t('dashboard.text.previewOf', 'Preview of the text')}
          tabIndex={0}
        >
          {draft.trim() === '' ? (
            <p className={styles.nothing}>{t('dashboard.text.nothing', 'Nothing to preview')}</p>
          ) : (
            <Markdown text={draft} html={html} imageHosts={imageHosts} />
          )}
        </div>
      </div>
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
  )
}
