import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, type CSSProperties } from 'react'
import { Icon } from '../../icons/Icon.tsx'
import { useControlHeight } from '../../theme/sizes.ts'
import { useText } from '../../theme/use-text.ts'
import type { OptionsState } from './use-options.ts'
import type { Option } from './options.ts'
import styles from './select.module.css'

/** Longer lists keep only the rows in view in the page (CTRL-019). */
const virtualAbove = 100
const moreBeforeEnd = 20

export interface OptionListProps<V extends string | number> {
  id: string
  label: string | undefined
  labelledBy: string | undefined
  state: OptionsState<V>
  active: number
  isSelected(value: V): boolean
  multiple?: boolean
  onPick(option: Option<V>): void
  onActive(index: number): void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

export function OptionList<V extends string | number>(props: OptionListProps<V>) {
  const { id, label, labelledBy, state, active, isSelected, multiple, onPick, onActive } = props
  const { options, count, loading, error, loadMore } = state
  const t = useText()
  const list = useRef<HTMLDivElement>(null)
  const height = useControlHeight()
  const virtual = options.length > virtualAbove
  const rows = useVirtualizer({
    count: virtual ? options.length : 0,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    overscan: 8,
  })

  useEffect(() => {
    if (active < 0) return
    if (virtual) rows.scrollToIndex(active)
    else list.current?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
  }, [active, virtual, rows])

  const row = (option: Option<V>, index: number, style?: CSSProperties) => (
    <div
      key={option.value}
      id={optionId(id, index)}
      role="option"
      aria-selected={isSelected(option.value)}
      aria-disabled={option.disabledReason !== undefined || undefined}
      aria-setsize={count}
      aria-posinset={index + 1}
      data-active={index === active || undefined}
      title={option.disabledReason ?? option.label}
      className={styles.option}
      style={style}
      // The field keeps the focus.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => index !== active && onActive(index)}
      onClick={() => option.disabledReason === undefined && onPick(option)}
    >
      {multiple ? (
        <span className={styles.tick} data-on={isSelected(option.value) || undefined}>
          <Icon name="check" size={12} />
        </span>
      ) : (
        option.icon && <Icon name={option.icon} />
      )}
      <span className={styles.optionLabel}>{option.label}</span>
      {option.note && <span className={styles.note}>{option.note}</span>}
      {!multiple && isSelected(option.value) && <Icon name="check" />}
    </div>
  )

  return (
    <>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        aria-labelledby={labelledBy}
        aria-multiselectable={multiple || undefined}
        aria-busy={loading || undefined}
        className={styles.list}
        onScroll={(event) => {
          const { scrollTop, clientHeight, scrollHeight } = event.currentTarget
          if (scrollTop + clientHeight > scrollHeight - moreBeforeEnd * height) loadMore()
        }}
      >
        {virtual ? (
          <div role="presentation" style={{ position: 'relative', height: rows.getTotalSize() }}>
            {rows.getVirtualItems().map(({ index, start }) => {
              const option = options[index]
              return option && row(option, index, { position: 'absolute', top: start, insetInline: 0 })
            })}
          </div>
        ) : (
          options.map((option, index) => row(option, index))
        )}
      </div>
      <div role="status" className={styles.status}>
        {error !== null
          ? t('ui.select.failed', 'Error while fetching data: {message}', { message: error })
          : loading && options.length === 0
            ? t('ui.select.loading', 'Loading…')
            : options.length === 0
              ? t('ui.select.nothing', 'Nothing matches')
              : options.length < count
                ? t('ui.select.count', '{shown, number} of {count, number}', { shown: options.length, count })
                : null}
      </div>
    </>
  )
}
