import { Icon, IconButton, Popover, useText, type IconName, type Placement } from '@parquetry/ui'
import { useState, type ReactNode } from 'react'
import { besidePanel } from './beside-panel.ts'
import styles from './controls.module.css'

export interface PillsProps<T> {
  items: readonly T[]
  wordsOf(item: T): string
  iconOf?: (item: T) => IconName
  /** What is wrong when the item is gone from the dataset: it is struck out and kept; null when it is there. */
  missing?: (item: T) => string | null
  onChange(items: T[]): void
  /** The editor of one item, or of a new one (null). */
  editor(item: T | null, done: (item: T) => void, cancel: () => void): ReactNode
  /** One item at most: a new one takes its place. */
  single?: boolean
  addLabel: string
  /** What an empty slot says. */
  empty: string
  width?: number
}

/** A list of things, each a pill that opens its editor; Delete takes it out, Alt with an arrow moves it. */
export function Pills<T>({
  items,
  wordsOf,
  iconOf,
  missing,
  onChange,
  editor,
  single,
  addLabel,
  empty,
  width = 360,
}: PillsProps<T>) {
  const t = useText()
  const [open, setOpen] = useState<number | 'new' | null>(null)
  const [placement, setPlacement] = useState<Placement>('right')
  const toggle = (at: number | 'new', anchor: Element): void => {
    setPlacement(besidePanel(anchor.getBoundingClientRect(), width, { width: innerWidth, height: innerHeight }))
    setOpen(open === at ? null : at)
  }
  const remove = (index: number): void => onChange(items.filter((_, at) => at !== index))
  const move = (index: number, by: number): void => {
    const to = index + by
    const moved = items[index]
    if (moved === undefined || to < 0 || to >= items.length) return
    const rest = items.filter((_, at) => at !== index)
    onChange([...rest.slice(0, to), moved, ...rest.slice(to)])
  }
  const done = (index: number | 'new') => (item: T) => {
    setOpen(null)
    onChange(
      index === 'new' ? (single ? [item] : [...items, item]) : items.map((other, at) => (at === index ? item : other)),
    )
  }
  const cancel = (): void => setOpen(null)

  return (
    <div className={styles.pills}>
      {items.map((item, index) => {
        const words = wordsOf(item)
        const gone = missing?.(item) ?? null
        return (
          <div key={index} className={styles.pill}>
            <Popover
              open={open === index}
              onClose={cancel}
              label={words}
              width={width}
              placement={placement}
              closeOnOutside={false}
              anchor={
                <button
                  type="button"
                  className={gone ? styles.gone : styles.words}
                  title={gone ?? words}
                  onClick={({ currentTarget }) => toggle(index, currentTarget)}
                  onKeyDown={(event) => {
                    if (event.key === 'Delete' || event.key === 'Backspace') remove(index)
                    if (event.altKey && event.key === 'ArrowUp') move(index, -1)
                    if (event.altKey && event.key === 'ArrowDown') move(index, 1)
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
          placement={placement}
          closeOnOutside={false}
          anchor={
            <button type="button" className={styles.add} onClick={({ currentTarget }) => toggle('new', currentTarget)}>
              <Icon name="plus" />
              <span>{items.length === 0 ? empty : addLabel}</span>
            </button>
          }
        >
          {editor(null, done('new'), cancel)}
        </Popover>
      )}
    </div>
  )
}
