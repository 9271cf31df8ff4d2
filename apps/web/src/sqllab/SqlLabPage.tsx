import { ProgressLine, useTranslate } from '@parquetry/ui'
import { useEffect, useState } from 'react'
import { openLab, type Lab } from './lab.ts'
import { Workspace } from './Workspace.tsx'
import styles from './SqlLab.module.css'

/** SQL tabs, with the tables beside them and the results below. */
export function SqlLabPage() {
  const t = useTranslate()
  const [lab, setLab] = useState<Lab | null>(null)
  useEffect(() => {
    let isMounted = true
    void openLab().then((opened) => isMounted && setLab(opened))
    return () => void (isMounted = false)
  }, [])
  if (lab) return <Workspace lab={lab} />
  return (
    <div className={styles.page} aria-busy>
      <h1 className="visually-hidden">{t('sqllab.title', 'SQL Lab')}</h1>
      <ProgressLine label={t('sqllab.opening', 'Opening your tabs…')} />
    </div>
  )
}
