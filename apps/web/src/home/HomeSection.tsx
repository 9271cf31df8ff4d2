import { ErrorPanel, Icon, Link, SegmentedControl, useTranslate, type Choice } from '@parquetry/ui'
import { useId, type ReactNode } from 'react'
import { useLocalStorage } from './use-local-storage.ts'
import styles from './home.module.css'

export interface HomeSectionProps<T extends string> {
  name: string
  title: string
  /** Filter of the section, stored in this browser. */
  filter?: { value: T; onChange(value: T): void; options: Choice<T>[]; label: string }
  allHref?: string
  error?: { text: string; retry(): void } | null
  children: ReactNode
}

/** A collapsible section of Home. */
export function HomeSection<T extends string>({ name, title, filter, allHref, error, children }: HomeSectionProps<T>) {
  const t = useTranslate()
  const id = useId()
  const [state, setState] = useLocalStorage(`section.${name}`, 'open', ['open', 'closed'])
  const open = state === 'open'
  return (
    <section className={styles.section} aria-labelledby={id}>
      <header className={styles.head}>
        <h2 id={id}>
          <button
            type="button"
            className={styles.toggle}
            aria-expanded={open}
            onClick={() => setState(open ? 'closed' : 'open')}
          >
            <Icon name={open ? 'chevron-down' : 'chevron-right'} />
            {title}
          </button>
        </h2>
        {open && filter && (
          <SegmentedControl
            value={filter.value}
            onChange={filter.onChange}
            options={filter.options}
            label={filter.label}
          />
        )}
        {open && allHref && (
          <Link href={allHref} className={styles.all}>
            {t('home.viewAll', 'View all')}
            <Icon name="arrow-right" />
          </Link>
        )}
      </header>
      {open &&
        (error ? (
          <ErrorPanel inline onRetry={error.retry}>
            {error.text}
          </ErrorPanel>
        ) : (
          children
        ))}
    </section>
  )
}
