import { Field, Icon, TextArea, useTranslate } from '@parquetry/ui'
import { useId, useLayoutEffect, useRef, useState, type KeyboardEvent } from 'react'
import { splitByRanges, type TextRange } from './text-ranges.ts'
import { wordBefore, suggestCompletions, type SqlName, type CompletionOptions } from './sql-completions.ts'
import type { SqlProblem } from './use-expression-check.ts'
import styles from './sql-field.module.css'

export interface SqlFieldProps extends CompletionOptions {
  label: string
  value: string
  onChange(value: string): void
  /** What the text may name. */
  names: readonly SqlName[]
  help?: string
  /** What a check says of it: said below, and underlined where it points to. */
  fault?: SqlProblem | null
  /** What the server said of it when it was saved. */
  error?: string | undefined
  rows?: number
  autoFocus?: boolean
  /** Somebody is about to write. */
  onFocus?: () => void
}

const noRanges: readonly TextRange[] = []

/** SQL that completes names: arrows choose, Enter or Tab takes, Esc closes the list. What is wrong is underlined. */
export function SqlField(props: SqlFieldProps) {
  const { label, value, onChange, names, help, fault = null, error, rows = 5, autoFocus, onFocus, ...options } = props
  const t = useTranslate()
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [marked, setMarked] = useState(0)
  const words = caret === null ? [] : suggestCompletions(wordBefore(value, caret), names, options)
  const isOpen = words.length > 0
  const list = useRef<HTMLDivElement>(null)
  // Below the field there may be no room left in what scrolls.
  useLayoutEffect(() => {
    list.current?.scrollIntoView({ block: 'nearest' })
  }, [words.length, fault])
  const lines = useUnderlines(area, value, fault?.ranges ?? noRanges)

  const take = (text: string): void => {
    if (caret === null) return
    const begin = caret - wordBefore(value, caret).length
    onChange(value.slice(0, begin) + text + value.slice(caret))
    setCaret(null)
    const field = area.current?.querySelector('textarea')
    // Once the new text stands in the field.
    requestAnimationFrame(() => field?.setSelectionRange(begin + text.length, begin + text.length))
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!isOpen) return
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (by !== undefined) setMarked((marked + by + words.length) % words.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(words[marked]?.text ?? '')
    else if (event.key === 'Escape') setCaret(null)
    else return
    event.preventDefault()
    event.stopPropagation()
  }

  return (
    <Field label={label} help={help} error={error ?? fault?.message}>
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
            {words.map(({ text, label: shown, icon, note }, at) => (
              <div
                key={text}
                id={`${id}-${at}`}
                role="option"
                aria-selected={at === marked}
                className={styles.completion}
                // The field keeps the focus.
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

/** A field draws no lines below parts of its text: over it lies the same text, unseen, which does. */
function useUnderlines(area: React.RefObject<HTMLDivElement | null>, value: string, places: readonly TextRange[]) {
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
    if (!field || places.length === 0) return
    follow()
    const sized = new ResizeObserver(follow)
    sized.observe(field)
    return () => sized.disconnect()
  })
  const element = places.length > 0 && (
    <div ref={layer} className={styles.lines} aria-hidden>
      {splitByRanges(value, places).map(({ text, isWrong }, at) =>
        isWrong ? <mark key={at}>{text}</mark> : <span key={at}>{text}</span>,
      )}
      {'\n'}
    </div>
  )
  return { element, follow }
}
