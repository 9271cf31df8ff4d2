import { Icon, Link, TextInput, fuzzyScore, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { canUpload } from '../../shared/upload.ts'
import type { Engine, ConnectionParameters } from './connection.ts'
import { readPastedUri } from './pasted-uri.ts'
import styles from './connect.module.css'

export interface EnginePickerProps {
  engines: readonly Engine[]
  onChoose(engine: Engine): void
  onPaste(engine: Engine, uri: string, parameters: ConnectionParameters): void
}

/**
 * A field that searches engines and also accepts a connection string: a pasted one at once, a typed one on Enter, since its end
 * is not known before.
 */
export function EnginePicker({ engines, onChoose, onPaste }: EnginePickerProps) {
  const t = useTranslate()
  const [text, setText] = useState('')
  const isUri = text.includes('://')
  const shown = isUri ? [] : engines.filter(({ name, engine }) => fuzzyScore(text, `${name} ${engine}`) > 0)
  const read = isUri ? readPastedUri(text, engines) : undefined
  const change = (value: string): void => {
    setText(value)
    const pasted = value.length > text.length + 1 ? readPastedUri(value, engines) : undefined
    if (pasted) onPaste(pasted.engine, value, pasted.parameters)
  }
  const label = t('lists.connect.search', 'Search database engines or paste a connection string')
  return (
    <>
      <TextInput
        icon="search"
        aria-label={label}
        placeholder={label}
        value={text}
        onChange={change}
        spellCheck={false}
        autoCapitalize="none"
        onKeyDown={(event) => {
          const [first] = shown
          if (event.key !== 'Enter' || !(first ?? read)) return
          event.preventDefault()
          if (read) onPaste(read.engine, text, read.parameters)
          else if (first) onChoose(first)
        }}
        data-autofocus
      />
      <ul className={styles.engines}>
        {shown.map((engine) => (
          <li key={engine.engine}>
            <button type="button" className={styles.engine} onClick={() => onChoose(engine)}>
              <Icon name="database" size={20} />
              {engine.name}
            </button>
          </li>
        ))}
      </ul>
      {canUpload('csv') && (
        <p className={styles.note}>
          <Link href="/csvtodatabaseview/form">{t('lists.connect.upload', 'Upload a file instead')}</Link>
        </p>
      )}
      <p role="status" className={styles.note}>
        {shown.length === 0 &&
          (read
            ? t('lists.connect.useUri', 'Press Enter to use this connection string for {engine}.', {
                engine: read.engine.name,
              })
            : isUri
              ? t('lists.connect.noScheme', 'No supported database engine matches this connection string.')
              : t('lists.connect.noEngine', 'No database engine matches your search.'))}
      </p>
    </>
  )
}
