import type { AuthenticatorSecret as Secret } from '@parquetry/model'
import { IconButton, useCopy, useTranslate } from '@parquetry/ui'
import { QrCode } from './QrCode.tsx'
import styles from './second-factor.module.css'

/** What to scan or type into an authenticator app. */
export function AuthenticatorSecret({ secret, uri }: Secret) {
  const t = useTranslate()
  const copy = useCopy()
  return (
    <div className={styles.secret}>
      <QrCode text={uri} label={t('secondFactor.qr', 'QR code for your authenticator app')} />
      <div className={styles.key}>
        <p>{t('secondFactor.scan', 'Scan the code with an authenticator app, or enter this key:')}</p>
        <p className={styles.keyText}>
          <code>{secret.match(/.{1,4}/g)?.join(' ')}</code>
          <IconButton
            icon="copy"
            label={t('secondFactor.copyKey', 'Copy key')}
            onClick={() => copy(secret, t('secondFactor.keyCopied', 'Key copied'))}
          />
        </p>
      </div>
    </div>
  )
}
