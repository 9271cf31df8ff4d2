import {
  Button,
  Dialog,
  Icon,
  IconButton,
  Popover,
  toast,
  useTranslate,
  type IconName,
  type Placement,
} from '@parquetry/ui'
import { useRef, useState, type ClipboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { choosePopoverPlacement } from './popover-placement.ts'
import { fieldDropProps, type FieldKind } from './field-drag.ts'
import styles from './controls.module.css'

export interface PillsProps<T> {
  items: readonly T[]
  labelOf(item: T): string
  iconOf?: (item: T) => IconName
  /** Message for an item missing from the dataset, which is struck through but not removed; null for a valid one. */
  missing?: (item: T) => string | null
  onChange(items: T[]): void
  /** Reason why an item must stay, which a dialog shows; null when it may be removed (CTRL-010). */
  reasonToKeep?: (item: T) => string | null
  /**
   * Renders the editor of an item, or of a new one (null).
   * @param dropped  name of the field dropped onto the slot, if it did not become an item directly
   */
  editor(item: T | null, done: (item: T) => void, cancel: () => void, dropped?: string): ReactNode
  /** Kinds of fields that can be added by dragging, or by pasting their names. */
  accepts?: readonly FieldKind[]
  /** Item for a dropped field or pasted text; null opens the editor with it, undefined rejects it. */
  parseItem?: ((text: string, kind: FieldKind | 'text') => T | null | undefined) | undefined
  /** At most one item: a new one replaces it. */
  single?: boolean
  addLabel: string
  /** Label of an empty slot. */
  empty: string
  width?: number
  /** The editor has a resize handle. */
  resizable?: boolean
}

/** Items as pills that open an editor. Delete removes an item, Alt with an arrow key moves it. */
export function Pills<T>({
  items,
  labelOf,
  iconOf,
  missing,
  onChange,
  reasonToKeep,
  editor,
  single,
  addLabel,
  empty,
  width = 360,
  resizable = false,
  accepts,
  parseItem,
}: PillsProps<T>) {
  const t = useTranslate()
  const slot = useRef<HTMLDivElement>(null)
  const [open, setOpen] = useState<number | 'new' | null>(null)
  const [dropped, setDropped] = useState<string | undefined>(undefined)
  const [placement, setPlacement] = useState<Placement>('right')
  const [warning, setWarning] = useState<string | null>(null)
  const show = (at: number | 'new', anchor: Element, field?: string): void => {
    setPlacement(
      choosePopoverPlacement(anchor.getBoundingClientRect(), width, { width: innerWidth, height: innerHeight }),
    )
    setDropped(field)
    setOpen(at)
  }
  const toggle = (at: number | 'new', anchor: Element): void => (open === at ? setOpen(null) : show(at, anchor))
  const button = (index: number): HTMLElement | null | undefined =>
    slot.current?.querySelectorAll<HTMLElement>('[data-item]')[index]
  /** Focuses the moved item, or the one after a removed item. */
  const changeAt = (next: T[], focus: number): void => {
    flushSync(() => onChange(next))
    button(Math.min(focus, next.length))?.focus()
  }
  /** Removing an item restores the one that it replaced. */
  const remove = (index: number): void => {
    const removed = items[index]
    const reason = removed === undefined ? null : (reasonToKeep?.(removed) ?? null)
    if (reason !== null) return setWarning(reason)
    changeAt(
      items.flatMap((item, at) => (at === index ? ((item as { insteadOf?: T }).insteadOf ?? []) : item)),
      index,
    )
  }
  const move = (index: number, by: number): void => {
    const to = index + by
    const moved = items[index]
    if (moved === undefined || to < 0 || to >= items.length) return
    const rest = items.filter((_, at) => at !== index)
    changeAt([...rest.slice(0, to), moved, ...rest.slice(to)], to)
  }
  const addTexts = (texts: readonly string[], kind: FieldKind | 'text', at: Element): boolean => {
    const parsed = texts.map((text) => parseItem?.(text, kind))
    if (parsed.every((item) => item === undefined)) return false
    const newItems = parsed.flatMap((item) => item ?? [])
    const known = new Set(items.map(labelOf))
    const fresh = newItems.filter((item) => !known.has(labelOf(item)))
    if (fresh.length > 0) onChange(single ? fresh.slice(-1) : [...items, ...fresh])
    else if (parsed[0] === null) show('new', at, texts[0])
    return true
  }
  const paste = (event: ClipboardEvent): void => {
    // Pasting in an open editor behaves normally.
    if (!event.currentTarget.contains(event.target as Node) || !parseItem) return
    const text = event.clipboardData.getData('text').trim()
    const names = parseItem(text, 'text') === undefined ? text.split(/\s*[,;\t\n\r]+\s*/).filter(Boolean) : [text]
    if (addTexts(names, 'text', event.currentTarget)) event.preventDefault()
    else if (text !== '')
      toast(
        t('explore.pill.notHere', 'Can’t add “{name}” here', {
          name: text.length > 60 ? `${text.slice(0, 60)}…` : text,
        }),
      )
  }
  const done = (index: number | 'new') => (item: T) => {
    setOpen(null)
    onChange(
      index === 'new' ? (single ? [item] : [...items, item]) : items.map((other, at) => (at === index ? item : other)),
    )
  }
  const cancel = (): void => setOpen(null)

  return (
    <div
      ref={slot}
      className={styles.pills}
      onPaste={paste}
      {...fieldDropProps(accepts, (name, kind, at) => void addTexts([name], kind, at))}
    >
      {items.map((item, index) => {
        const label = labelOf(item)
        const missingText = missing?.(item) ?? null
        return (
          <div key={index} className={styles.pill}>
            <Popover
              open={open === index}
              onClose={cancel}
              label={label}
              width={width}
              resizable={resizable}
              placement={placement}
              closeOnOutside={false}
              anchor={
                <button
                  type="button"
                  data-item
                  className={missingText ? styles.gone : styles.words}
                  title={missingText ?? label}
                  onClick={({ currentTarget }) => toggle(index, currentTarget)}
                  onKeyDown={(event) => {
                    if (event.key === 'Delete' || event.key === 'Backspace') remove(index)
                    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
                    event.preventDefault()
                    move(index, event.key === 'ArrowUp' ? -1 : 1)
                  }}
                >
                  {iconOf && <Icon name={iconOf(item)} />}
                  <span>{label}</span>
                </button>
              }
            >
              {editor(item, done(index), cancel)}
            </Popover>
            <IconButton
              icon="close"
              label={t('explore.pill.remove', 'Remove {name}', { name: label })}
              onClick={() => remove(index)}
            />
          </div>
        )
      })}
      {(!single || items.length === 0) && (
        <Popover
          open={open === 'new'}
          onClose={cancel}
          label={addLabel}
          width={width}
          resizable={resizable}
          placement={placement}
          closeOnOutside={false}
          anchor={
            <button
              type="button"
              data-item
              className={styles.add}
              onClick={({ currentTarget }) => toggle('new', currentTarget)}
            >
              <Icon name="plus" />
              <span>{items.length === 0 ? empty : addLabel}</span>
            </button>
          }
        >
          {editor(null, done('new'), cancel, dropped)}
        </Popover>
      )}
      <Dialog
        open={warning !== null}
        role="alertdialog"
        title={t('explore.pill.warning', 'Warning')}
        description={warning}
        onClose={() => setWarning(null)}
        onSubmit={() => setWarning(null)}
        footer={
          <Button type="submit" variant="primary" data-autofocus>
            {t('explore.pill.warningClose', 'Close')}
          </Button>
        }
      />
    </div>
  )
}
