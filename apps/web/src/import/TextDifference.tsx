import { Button, useCopy, useTranslate } from '@parquetry/ui'
import { useMemo } from 'react'
import { diffLines } from './line-difference.ts'
import styles from './tree.module.css'

export interface TextDifferenceProps {
  /** Name of the field that differs. */
  label: string
  before: string
  after: string
}

const marks = { same: ' ', removed: '−', added: '+', omitted: ' ' } as const

/** Two versions of a long text or of JSON, compared by lines. */
export function TextDifference({ label, before, after }: TextDifferenceProps) {
  const t = useTranslate()
  const copy = useCopy()
  const lines = useMemo(() => diffLines(before, after), [before, after])
  return (
    <>
      {/* Long texts scroll, so the block must be focusable. */}
      <pre className={styles.lines} tabIndex={0} aria-label={label}>
        {lines.map(({ how, text }, at) => (
          <span key={at} data-how={how}>
            {`${marks[how]} ${text}`}
          </span>
        ))}
      </pre>
      {after !== '' && (
        <Button variant="quiet" icon="copy" onClick={() => copy(after, t('import.copied', 'Copied'))}>
          {t('import.copyNew', 'Copy the imported text')}
        </Button>
      )}
    </>
  )
}
