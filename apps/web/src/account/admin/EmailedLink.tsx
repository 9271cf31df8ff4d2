import { Banner, useTranslate } from '@parquetry/ui'

/** Says whether a link was also sent by e-mail; nothing without a mail server or address. */
export function EmailedLink({ email_sent, email_error }: { email_sent: boolean | null; email_error: string | null }) {
  const t = useTranslate()
  if (email_sent === null) return null
  return email_sent ? (
    <Banner inline tone="info">
      {t('account.link.emailed', 'The link was also sent by email.')}
    </Banner>
  ) : (
    <Banner inline tone="warning">
      {t('account.link.notEmailed', 'The link could not be sent by email. {reason}', { reason: email_error ?? '' })}
    </Banner>
  )
}
