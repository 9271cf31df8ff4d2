import { Icon, IconButton, Popover, toast, useTranslate, type IconName, type Placement } from '@parquetry/ui'
import { useRef, useState, type ClipboardEvent, type ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { choosePopoverPlacement } from './popover-placement.ts'
import { fieldDropProps, type FieldKind } from './field-drag.ts'
import styles from './controls.module.css'

export interface PillsProps<T> {
  items: readonly T[]
  labelOf(item: T): string
  iconOf?: (item: T) => IconName
  /** What is wrong when the item is gone from the dataset: it is struck out and kept; null when it is there. */
  missing?: (item: T) => string | null
  onChange(items: T[]): void
  /**
   * The editor of one item, or of a new one (null).
   * @param dropped  name of the field that was put onto the slot, where no item was made of it
   */
  editor(item: T | null, done: (item: T) => void, cancel: () => void, dropped?: string): ReactNode
  /** Fields of the dataset that can be put here: by dragging, or by pasting their names. */
  accepts?: readonly FieldKind[]
  /** The item that a dropped field or a pasted text stands for; null opens the editor with it. */
  parseItem?: ((text: string, kind: FieldKind | 'text') => T | null | undefined) | undefined
  /** One item at most: a new one takes its place. */
  single?: boolean
  addLabel: string
  /** What an empty slot says. */
  empty: string
  width?: number
  /** The editor has a handle to make it larger. */
  resizable?: boolean
}

/** A list of things, each a pill that opens its editor; Delete takes it out, Alt with an arrow moves it. */
export function Pills<T>({
  items,
  labelOf,
  iconOf,
  missing,
  onChange,
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
  const show = (at: number | 'new', anchor: Element, field?: string): void => {
    setPlacement(
      choosePopoverPlacement(anchor.getBoundingClientRect(), width, { width: innerWidth, height: innerHeight }),
    )
    setDropped(field)
    setOpen(at)
  }
  const toggle = (at: number | 'new', anchor: Element): void => (open === at ? setOpen(null) : show(at, anchor))
  const button = (at: number): HTMLElement | null | undefined =>
    slot.current?.querySelectorAll<HTMLElement>('[data-item]')[at]
  /** What was moved or stands where something was taken out keeps the focus. */
  const changeAt = (next: T[], focus: number): void => {
    flushSync(() => onChange(next))
    button(Math.min(focus, next.length))?.focus()
  }
  /** What it stands instead of comes back. */
  const remove = (index: number): void =>
    changeAt(
      items.flatMap((item, at) => (at === index ? ((item as { insteadOf?: T }).insteadOf ?? []) : item)),
      index,
    )
  const move = (index: number, by: number): void => {
    const to = index + by
    const moved = items[index]
    if (moved === undefined || to < 0 || to >= items.length) return
    const rest = items.filter((_, at) => at !== index)
    changeAt([...rest.slice(0, to), moved, ...rest.slice(to)], to)
  }
  const put = (texts: readonly string[], kind: FieldKind | 'text', at: Element): boolean => {
    const made = texts.map((text) => parseItem?.(text, kind))
    if (made.every((item) => item === undefined)) return false
    const whole = made.flatMap((item) => item ?? [])
    const known = new Set(items.map(labelOf))
    const fresh = whole.filter((item) => !known.has(labelOf(item)))
    if (fresh.length > 0) onChange(single ? fresh.slice(-1) : [...items, ...fresh])
    else if (made[0] === null) show('new', at, texts[0])
    return true
  }
  const paste = (event: ClipboardEvent): void => {
    // In the editors over the page text is pasted as ever.
    if (!event.currentTarget.contains(event.target as Node) || !parseItem) return
    const text = event.clipboardData.getData('text').trim()
    const names = parseItem(text, 'text') === undefined ? text.split(/\s*[,;\t\n\r]+\s*/).filter(Boolean) : [text]
    if (put(names, 'text', event.currentTarget)) event.preventDefault()
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
      {...fieldDropProps(accepts, (name, kind, at) => void put([name], kind, at))}
    >
      {items.map((item, index) => {
        const words = labelOf(item)
        const gone = missing?.(item) ?? null
        return (
          <div key={index} className={styles.pill}>
            <Popover
              open={open === index}
              onClose={cancel}
              label={words}
              width={width}
              resizable={resizable}
              placement={placement}
              closeOnOutside={false}
              anchor={
                <button
                  type="button"
                  data-item
                  className={gone ? styles.gone : styles.words}
                  title={gone ?? words}
                  onClick={({ currentTarget }) => toggle(index, currentTarget)}
                  onKeyDown={(event) => {
                    if (event.key === 'Delete' || event.key === 'Backspace') remove(index)
                    if (!event.altKey || !['ArrowUp', 'ArrowDown'].includes(event.key)) return
                    event.preventDefault()
                    move(index, event.key === 'ArrowUp' ? -1 : 1)
                  }}
                >
                  {iconOf && <Icon name={iconOf(item)} />}
                  <span>{words}</span>
                </button>
              }
            >
              {editor(item, done(index), cancel)}
            </Popover>
            <IconButton
              icon="close"
              label={t('explore.pill.remove', 'Remove {name}', { name: words })}
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
    </div>
  )
}
