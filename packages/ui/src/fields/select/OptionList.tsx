import { useEffect, useState, type CSSProperties } from 'react'
import { Swatches } from '../../data/Swatches.tsx'
import { Icon } from '../../icons/Icon.tsx'
import { useVirtualRows } from '../../layout/use-virtual-rows.ts'
import { useControlHeight } from '../../theme/sizes.ts'
import { useTranslate } from '../../theme/i18n.ts'
import type { OptionsState } from './use-options.ts'
import type { Option } from './options.ts'
import styles from './select.module.css'

/** Longer lists only render the visible rows (CTRL-019). */
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
  nothing?: string | undefined
  onPick(option: Option<V>): void
  onActive(index: number): void
}

export const optionId = (listId: string, index: number): string => `${listId}-${index}`

export function OptionList<V extends string | number>(props: OptionListProps<V>) {
  const { id, label, labelledBy, state, active, isSelected, multiple, nothing, onPick, onActive } = props
  const { options, count, isCut, loading, error, loadMore } = state
  const t = useTranslate()
  const [list, setList] = useState<HTMLDivElement | null>(null)
  const height = useControlHeight()
  const virtual = options.length > virtualAbove
  const rows = useVirtualRows(virtual ? list : null, { count: options.length, rowHeight: height })

  useEffect(() => {
    if (active < 0) return
    if (virtual) rows.scrollTo(active)
    else list?.querySelector('[data-active]')?.scrollIntoView({ block: 'nearest' })
    // Manual scrolling does not change the active row.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [active, virtual, list])

  const row = (option: Option<V>, index: number, style?: CSSProperties) => (
    <div
      key={option.isTyped ? 'typed' : option.value}
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
      // Keeps the focus in the field.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={() => index !== active && onActive(index)}
      onClick={() => option.disabledReason === undefined && onPick(option)}
    >
      {multiple ? (
        <span className={styles.tick} data-on={isSelected(option.value) || undefined}>
          <Icon name="check" size={12} />
        </span>
      ) : (
        (option.icon ?? (option.isTyped && 'edit')) && <Icon name={option.icon ?? 'edit'} />
      )}
      <span className={styles.optionLabel}>{option.label}</span>
      {option.colors && <Swatches colors={option.colors} />}
      {option.note && <span className={styles.note}>{option.note}</span>}
      {!multiple && isSelected(option.value) && <Icon name="check" />}
    </div>
  )

  const placed = (option: Option<V>, index: number) =>
    row(option, index, { position: 'absolute', top: index * height, insetInline: 0 })

  return (
    <>
      <div
        ref={setList}
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
          <div role="presentation" style={{ position: 'relative', height: rows.height }}>
            {options.slice(rows.first, rows.last).map((option, index) => placed(option, rows.first + index))}
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
              ? (nothing ?? t('ui.select.nothing', 'No matches'))
              : isCut
                ? t('ui.select.cut', 'Showing the first {count, number}. Type to find more.', { count })
                : options.length < count
                  ? t('ui.select.count', '{shown, number} of {count, number}', { shown: options.length, count })
                  : null}
      </div>
    </>
  )
}
