import { Field, Icon, TextArea, useText, type IconName } from '@parquetry/ui'
import { useId, useRef, useState, type KeyboardEvent } from 'react'
import type { ExploreDataset } from '../use-explore.ts'
import { iconOfColumn } from './columns.ts'
import { completionsFor, wordBefore } from './expression-words.ts'
import styles from './controls.module.css'

export interface ExpressionFieldProps {
  label: string
  value: string
  onChange(value: string): void
  dataset: ExploreDataset
  help?: string
  /** What the server says of it. */
  error?: string | undefined
  autoFocus?: boolean
}

/** SQL of five lines that completes the dataset's columns: arrows choose, Enter or Tab takes, Esc closes the list. */
export function ExpressionField({ label, value, onChange, dataset, help, error, autoFocus }: ExpressionFieldProps) {
  const t = useText()
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [marked, setMarked] = useState(0)
  const words = caret === null ? [] : completionsFor(wordBefore(value, caret), dataset)
  const isOpen = words.length > 0

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
    <Field label={label} help={help} error={error}>
      <div ref={area} className={styles.expression} onKeyDown={onKeyDown}>
        <TextArea
          value={value}
          onChange={onChange}
          onInput={({ currentTarget }) => {
            setCaret(currentTarget.selectionStart)
            setMarked(0)
          }}
          onBlur={() => setCaret(null)}
          rows={5}
          mono
          spellCheck={false}
          autoCapitalize="none"
          autoComplete="off"
          data-autofocus={autoFocus || undefined}
          aria-autocomplete="list"
          aria-controls={isOpen ? id : undefined}
          aria-activedescendant={isOpen ? `${id}-${marked}` : undefined}
        />
        {isOpen && (
          <div id={id} role="listbox" aria-label={t('explore.sql.words', 'Columns')} className={styles.completions}>
            {words.map(({ text, label: words, note, column }, at) => (
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
                <Icon name={(column ? iconOfColumn(column) : 'function') satisfies IconName} />
                <span>{words}</span>
                <small>{note}</small>
              </div>
            ))}
          </div>
        )}
      </div>
    </Field>
  )
}
