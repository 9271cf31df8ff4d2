import { Icon, useTranslate } from '@parquetry/ui'
import { FileButton } from './FileButton.tsx'
import { i18n } from './intl.ts'
import { canImportAny } from './import.ts'
import { canUpload } from './upload.ts'
import styles from './DropZone.module.css'

/** Area to drop or choose files. The whole window accepts drops; this area makes that visible. */
export function DropZone({ size = 'line' }: { size?: 'line' | 'big' }) {
  const t = useTranslate()
  const kinds = [
    ...(canUpload('csv') ? ['CSV', 'JSON'] : []),
    ...(canUpload('xlsx') ? ['Excel'] : []),
    ...(canUpload('parquet') ? ['Parquet'] : []),
    ...(canImportAny ? [t('shared.drop.export', 'exported ZIP')] : []),
  ]
  return (
    <div className={styles.zone} data-size={size}>
      <Icon name="upload" size={size === 'big' ? 20 : 16} />
      <p className={styles.words}>
        {t('shared.drop.words', 'Drop a {kinds} file anywhere in this window, or', {
          kinds: new Intl.ListFormat(i18n.locale, { type: 'disjunction' }).format(kinds),
        })}
      </p>
      <FileButton variant={size === 'big' ? 'primary' : 'secondary'}>
        {t('shared.drop.choose', 'Choose a file')}
      </FileButton>
    </div>
  )
}
