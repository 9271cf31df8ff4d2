import { Button, Field, TextInput, useTranslate } from '@parquetry/ui'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../shared/errors.ts'
import styles from './TextEditor.module.css'

export interface ImageSourceFormProps {
  onChoose(): void
  /** Fetches the image. */
  onAddress(address: string): Promise<void>
  onDone(): void
}

/** Chooses the source of an image: a local file, or a URL that the server fetches. */
export function ImageSourceForm({ onChoose, onAddress, onDone }: ImageSourceFormProps) {
  const t = useTranslate()
  const [address, setAddress] = useState('')
  const fetching = useMutation({ mutationFn: () => onAddress(address.trim()), onSuccess: onDone })
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (address.trim() !== '') fetching.mutate()
      }}
    >
      <Button icon="upload" onClick={onChoose}>
        {t('dashboard.image.choose', 'Choose a file')}
      </Button>
      <Field
        label={t('dashboard.image.address', 'Image URL')}
        help={t(
          'dashboard.image.addressHelp',
          'The image is downloaded once and stored with the dashboard. You can also paste or drop an image into the text.',
        )}
        error={fetching.error ? messageOf(fetching.error) : undefined}
      >
        <TextInput
          value={address}
          onChange={(value) => {
            setAddress(value)
            fetching.reset()
          }}
          placeholder="https://"
          inputMode="url"
          maxLength={4000}
        />
      </Field>
      <Button type="submit" variant="primary" busy={fetching.isPending}>
        {t('dashboard.image.fetch', 'Add from URL')}
      </Button>
    </form>
  )
}
