import { Banner, Button, useCopy, useTranslate } from '@parquetry/ui'
import styles from './second-factor.module.css'

/** Recovery codes, which are shown only now. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const t = useTranslate()
  const copy = useCopy()
  const text = codes.join('\n')
  return (
    <div className={styles.recovery}>
      <Banner inline tone="warning">
        {t('secondFactor.save', 'Save these recovery codes now. They are not shown again.')}
      </Banner>
      <p>{t('secondFactor.recoveryText', 'Each one signs you in once when you don’t have your authenticator app.')}</p>
      <ul className={styles.codes} aria-label={t('secondFactor.recovery', 'Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <div className={styles.actions}>
        <Button icon="copy" onClick={() => copy(text, t('secondFactor.copied', 'Recovery codes copied'))}>
          {t('secondFactor.copy', 'Copy')}
        </Button>
        <Button icon="download" onClick={() => download(text)}>
          {t('secondFactor.download', 'Download')}
        </Button>
      </div>
    </div>
  )
}

function download(text: string): void {
  const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = 'parquetry-recovery-codes.txt'
  link.click()
  URL.revokeObjectURL(url)
}
