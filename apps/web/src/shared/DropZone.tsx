import { Button, Icon, useText } from '@parquetry/ui'
import { useRef } from 'react'
import { acceptedFiles, askUpload, mayUpload } from './upload.ts'
import styles from './DropZone.module.css'

/** Where files are dropped or chosen. The whole window takes them as well; this says so. */
export function DropZone({ size = 'line' }: { size?: 'line' | 'big' }) {
  const t = useText()
  const input = useRef<HTMLInputElement>(null)
  const kinds = [
    ...(mayUpload('csv') ? ['CSV', 'JSON'] : []),
    ...(mayUpload('xlsx') ? ['Excel'] : []),
    ...(mayUpload('parquet') ? ['Parquet'] : []),
  ]
  return (
    <div className={styles.zone} data-size={size}>
      <Icon name="upload" size={size === 'big' ? 20 : 16} />
      <p className={styles.words}>
        {t('shared.drop.words', 'Drop a {kinds} file anywhere in this window, or', {
          kinds: new Intl.ListFormat('en', { type: 'disjunction' }).format(kinds),
        })}
      </p>
      <Button variant={size === 'big' ? 'primary' : 'secondary'} onClick={() => input.current?.click()}>
        {t('shared.drop.choose', 'Choose a file')}
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept={acceptedFiles}
        aria-label={t('shared.drop.choose', 'Choose a file')}
        onChange={({ target }) => {
          if (target.files?.length) askUpload([...target.files])
          target.value = ''
        }}
      />
    </div>
  )
}
