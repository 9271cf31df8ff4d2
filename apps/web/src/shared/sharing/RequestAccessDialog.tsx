import { Banner, Button, ButtonLink, Dialog, Field, TextArea, toast, useCopy, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { boot } from '../boot.ts'
import { messageOf } from '../errors.ts'
import type { RequestAccessProps } from './RequestAccess.tsx'

export function RequestAccessDialog({ of, onClose }: RequestAccessProps & { onClose(): void }) {
  return of ? <RequestForm of={of} onClose={onClose} /> : <MessageToSend onClose={onClose} />
}

/** Sends a request that the owners see on their home page. */
function RequestForm({ of, onClose }: Required<RequestAccessProps> & { onClose(): void }) {
  const t = useTranslate()
  const [text, setText] = useState('')
  const send = useMutation({
    mutationFn: () =>
      api.post('/api/v1/access_request/', {
        body: { ...of, ...(text.trim() !== '' && { message: text.trim() }) },
      }),
    onSuccess() {
      toast(t('shared.access.sent', 'Request sent'))
      onClose()
    },
  })
  return (
    <Dialog
      open
      title={t('shared.access.request', 'Request access')}
      description={t(
        'shared.access.owners',
        'If it exists, its owners see your request on their home page. You can open it as soon as they agree.',
      )}
      dirty={text.trim() !== ''}
      onClose={onClose}
      onSubmit={() => send.mutate()}
      footer={
        <>
          <Button onClick={onClose}>{t('shared.cancel', 'Cancel')}</Button>
          <Button variant="primary" type="submit" busy={send.isPending}>
            {t('shared.access.send', 'Send request')}
          </Button>
        </>
      }
    >
      {send.error && (
        <Banner tone="danger" inline>
          {messageOf(send.error)}
        </Banner>
      )}
      <Field label={t('shared.access.reason', 'Message (optional)')}>
        <TextArea
          value={text}
          onChange={setText}
          rows={3}
          maxLength={1000}
          placeholder={t('shared.access.reasonHint', 'What you need it for')}
          data-autofocus
        />
      </Field>
    </Dialog>
  )
}

/** A message for the user to send, where no object is known that could have owners. */
function MessageToSend({ onClose }: { onClose(): void }) {
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
