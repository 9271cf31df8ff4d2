import { Field, Icon, TextArea, useTranslate } from '@parquetry/ui'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { splitByRanges, type TextRange } from './text-ranges.ts'
import {
  insertCompletion,
  wordBefore,
  suggestCompletions,
  type SqlName,
  type CompletionOptions,
} from './sql-completions.ts'
import type { SqlProblem } from './use-expression-check.ts'
import styles from './sql-field.module.css'

export interface SqlFieldProps extends CompletionOptions {
  label: string
  value: string
  onChange(value: string): void
  /** Names that the text may reference. */
  names: readonly SqlName[]
  help?: string
  required?: boolean
  /** Result of a check: shown below the field, and underlined at its location. */
  fault?: SqlProblem | null
  /** Error of the server on save. */
  error?: string | undefined
  rows?: number
  autoFocus?: boolean
  /** The user is about to type. */
  onFocus?: () => void
}

const noRanges: readonly TextRange[] = []

/** SQL field with name completion: arrows select, Enter or Tab accepts, Esc closes the list. Errors are underlined. */
export function SqlField(props: SqlFieldProps) {
  const {
    label,
    value,
    onChange,
    names,
    help,
    required,
    fault = null,
    error,
    rows = 5,
    autoFocus,
    onFocus,
    ...options
  } = props
  const t = useTranslate()
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [marked, setMarked] = useState(0)
  const completions = caret === null ? [] : suggestCompletions(wordBefore(value, caret), names, options)
  const isOpen = completions.length > 0
  const list = useRef<HTMLDivElement>(null)
  // The scroll container may have no space left below the field.
  useLayoutEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [completions.length, fault])
  const lines = useUnderlines(area, value, fault?.ranges ?? noRanges)

  const take = (text: string): void => {
    if (caret === null) return
    const inserted = insertCompletion(value, caret, text)
    onChange(inserted.value)
    setCaret(null)
    const field = area.current?.querySelector('textarea')
    // After the field contains the new text.
    requestAnimationFrame(() => field?.setSelectionRange(inserted.caret, inserted.caret))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setMarked((marked + by + completions.length) % completions.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(completions[marked]?.text ?? '')
    else if (event.key === 'Escape') setCaret(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Field label={label} help={help} required={required} error={error ?? fault?.message}>
      <div ref={area} className={styles.area} onKeyDown={onKeyDown}>
        <TextArea
          value={value}
          onChange={onChange}
          onInput={({ currentTarget }) => {
            setCaret(currentTarget.selectionStart)
            setMarked(0)
          }}
          onFocus={onFocus}
          onBlur={() => setCaret(null)}
          onScroll={lines.follow}
          rows={rows}
          mono
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          data-autofocus={autoFocus || undefined}
          aria-autocomplete="list"
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={isOpen ? `${id}-${marked}` : undefined}
        />
        {lines.element}
        {isOpen && (
          <div
            ref={list}
            id={id}
            role="listbox"
            aria-label={t('shared.sql.words', 'SQL suggestions')}
            className={styles.completions}
          >
            {completions.map(({ text, label: shown, icon, note }, index) => (
              <div
                key={text}
                id={`${id}-${index}`}
                role="option"
                aria-selected={index === marked}
                className={styles.completion}
                // Keeps the focus in the field.
                onMouseDown={(event) => event.preventDefault()}
                onClick={() => take(text)}
              >
                <Icon name={icon} />
                <span>{shown}</span>
                <small>{note}</small>
              </div>
            ))}
          </div>
        )}
      </div>
    </Field>
  )
}

/** A textarea cannot underline parts of its text: an overlay repeats the text invisibly and draws the lines. */
function useUnderlines(area: React.RefObject<HTMLDivElement | null>, value: string, ranges: readonly TextRange[]) {
  const layer = useRef<HTMLDivElement>(null)
  const follow = (): void => {
    const field = area.current?.querySelector('textarea')
    if (!field || !layer.current) return
    const { style } = layer.current
    style.font = getComputedStyle(field).font
    style.width = `${field.clientWidth}px`
    style.height = `${field.clientHeight}px`
    layer.current.scrollTop = field.scrollTop
  }
  useLayoutEffect(() => {
    const field = area.current?.querySelector('textarea')
    if (!field || ranges.length === 0) return
    follow()
    const sized = new ResizeObserver(follow)
    sized.observe(field)
    return () => sized.disconnect()
  })
  const element = ranges.length > 0 && (
    <div ref={layer} className={styles.lines} aria-hidden>
      {splitByRanges(value, ranges).map(({ text, isWrong }, index) =>
        isWrong ? <mark key={index}>{text}</mark> : <span key={index}>{text}</span>,
      )}
      {'\n'}
    </div>
  )
  return { element, follow }
}
