import { Button, ButtonLink, Dialog, TextArea, useCopy, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { boot } from './boot.ts'

/**
 * "Request access": a message to send to the owner or an administrator, since a page that the user may not see cannot name its
 * owners.
 */
export function RequestAccess() {
  const t = useTranslate()
  const [isOpen, setOpen] = useState(false)
  if (boot.user.isAnonymous) return null
  return (
    <>
      <Button onClick={() => setOpen(true)}>{t('shared.access.request', 'Request access')}</Button>
      {isOpen && <RequestDialog onClose={() => setOpen(false)} />}
    </>
  )
}

function RequestDialog({ onClose }: { onClose(): void }) {
  const t = useTranslate()
  const copy = useCopy()
  const { username = '', firstName = '', lastName = '' } = boot.user
  const subject = t('shared.access.subject', 'Access in Parquetry')
  const message = t(
    'shared.access.message',
    'Please give me access to this page:\n{address}\n\nUsername: {username}\nName: {name}',
    { address: location.href, username, name: `${firstName} ${lastName}`.trim() },
  )
  return (
    <Dialog
      open
      title={t('shared.access.request', 'Request access')}
      description={t(
        'shared.access.whom',
        'Send this message to the person who gave you the link, or to an administrator. Nothing is sent automatically.',
      )}
      onClose={onClose}
      footer={
        <>
          <ButtonLink href={`mailto:?${encodeMail({ subject, body: message })}`}>
            {t('shared.access.mail', 'Write an email')}
          </ButtonLink>
          <Button
            variant="primary"
            icon="copy"
            onClick={() => copy(message, t('shared.access.copied', 'Message copied'))}
          >
            {t('shared.access.copy', 'Copy message')}
          </Button>
        </>
      }
    >
      <TextArea value={message} onChange={() => undefined} readOnly rows={5} aria-label={subject} />
    </Dialog>
  )
}

/** Mail programs do not read `+` as a blank. */
const encodeMail = (fields: Record<string, string>): string =>
  Object.entries(fields)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&')
