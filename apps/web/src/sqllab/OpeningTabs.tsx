import { ProgressLine, useTranslate } from '@parquetry/ui'
import styles from './SqlLab.module.css'

/** SQL Lab until it knows what to show. */
export function OpeningTabs() {
  const t = useTranslate()
  return (
    <div className={styles.page} aria-busy>
      <h1 className="visually-hidden">{t('sqllab.title', 'SQL Lab')}</h1>
      <ProgressLine label={t('sqllab.opening', 'Opening your tabs…')} />
    </div>
  )
}
