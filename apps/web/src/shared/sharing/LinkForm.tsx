import { Button, Field, TextInput, toastError, useCopy, useTranslate } from '@parquetry/ui'
import { useState } from 'react'
import { messageOf } from '../errors.ts'

export interface LinkFormProps {
  /** Creates the address that stores the state of the screen. */
  makeLink(): Promise<string>
  /** Users who can open it: "Owners and the role Sales". */
  audience: string
  /** Subject of the email. */
  subject: string
  /** Offers HTML that embeds the view in another page. */
  embeds?: boolean
}

/** HTML of an iframe that shows only the content of a link. */
export function embedCode(address: string, title: string): string {
  const url = new URL(address)
  url.searchParams.set('standalone', '1')
  url.searchParams.set('height', '400')
  const text = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
  return `<iframe width="600" height="400" title="${text(title)}" src="${text(url.href)}" frameborder="0" scrolling="no"></iframe>`
}

/** A link to the view, to copy, email or embed. It is created on first use. */
export function LinkForm({ makeLink, audience, subject, embeds = false }: LinkFormProps) {
  const t = useTranslate()
  const [link, setLink] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  const make = async (use: (address: string) => Promise<void> | void) => {
    setBusy(true)
    try {
      const address = link ?? (await makeLink())
      setLink(address)
      await use(address)
    } catch (error) {
      toastError(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const copyText = useCopy()
  const copy = (address: string) => copyText(address, t('share.copied', 'Link Copied!'))
  const embed = (address: string) => copyText(embedCode(address, subject), t('share.embedCopied', 'Embed code copied'))
  const mail = (address: string) => {
    const body = t('share.body', 'Check out this dashboard or chart: {address}', { address })
    location.href = `mailto:?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(body)}`
  }
  return (
    <>
      <Field label={t('share.link', 'Link with current filters and tabs')} help={audience}>
        <TextInput
          readOnly
          value={link ?? ''}
          onChange={() => undefined}
          placeholder={t('share.hint', 'Created when you copy it')}
          onFocus={(event) => event.target.select()}
        />
      </Field>
      <div style={{ display: 'flex', flexWrap: 'wrap', gap: 'var(--space-3)', marginTop: 'var(--space-5)' }}>
        <Button variant="primary" icon="copy" busy={busy} onClick={() => void make(copy)} data-autofocus>
          {t('share.copy', 'Copy link')}
        </Button>
        {embeds && (
          <Button icon="sql" onClick={() => void make(embed)}>
            {t('share.embed', 'Copy embed code')}
          </Button>
        )}
        <Button icon="share" onClick={() => void make(mail)}>
          {t('share.mail', 'Send by email')}
        </Button>
      </div>
    </>
  )
}
