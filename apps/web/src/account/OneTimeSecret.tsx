import { Button, Field, TextInput, useCopy, useTranslate } from '@parquetry/ui'
import styles from './account.module.css'

export interface OneTimeSecretProps {
  label: string
  value: string
  /** Name of the copied text, for the message afterwards. */
  copied: string
  help?: string
}

/** A key or link that is shown only now, with a button that copies it. */
export function OneTimeSecret({ label, value, copied, help }: OneTimeSecretProps) {
  const t = useTranslate()
  const copy = useCopy()
  return (
    <Field label={label} help={help}>
      <div className={styles.secret}>
        <TextInput
          value={value}
          onChange={() => {}}
          readOnly
          data-autofocus
          spellCheck={false}
          onFocus={(event) => event.target.select()}
        />
        <Button variant="primary" icon="copy" onClick={() => copy(value, copied)}>
          {t('account.copy', 'Copy')}
        </Button>
      </div>
    </Field>
  )
}
