import { Button, ButtonLink, Drawer, ErrorPanel, Skeleton, useCopy, useTranslate } from '@parquetry/ui'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { messageOf } from '../../shared/errors.ts'
import styles from './queries.module.css'

export interface PreviewDrawerProps<Item> {
  resource: 'query' | 'saved_query'
  id: number
  read(signal: AbortSignal): Promise<Item>
  title(item: Item | undefined): string
  /** Address in SQL Lab. */
  href: string
  onClose(): void
  children(item: Item): ReactNode
}

/** Details of a listed query in a drawer, with a link to SQL Lab. */
export function PreviewDrawer<Item>({ resource, id, read, title, href, onClose, children }: PreviewDrawerProps<Item>) {
  const t = useTranslate()
  const { data, error, refetch } = useQuery({
    queryKey: [resource, 'item', id],
    queryFn: ({ signal }) => read(signal),
  })
  return (
    <Drawer
      open
      title={title(data)}
      onClose={onClose}
      footer={
        <ButtonLink variant="primary" icon="sql" href={href}>
          {t('lists.queries.open', 'Open in SQL Lab')}
        </ButtonLink>
      }
    >
      {error ? (
        <ErrorPanel inline onRetry={() => void refetch()}>
          {messageOf(error)}
        </ErrorPanel>
      ) : data ? (
        children(data)
      ) : (
        <Skeleton height={160} />
      )}
    </Drawer>
  )
}

/** Names and values; empty values are omitted. */
export function DescriptionList({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(
        ([name, value]) =>
          value !== null &&
          value !== undefined &&
          value !== '' && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  )
}

export function SqlText({ title, sql }: { title: string; sql: string }) {
  const t = useTranslate()
  const copy = useCopy()
  return (
    <>
      <div className={styles.headLine}>
        <h3 className={styles.heading}>{title}</h3>
        <Button variant="quiet" icon="copy" onClick={() => copy(sql, t('lists.queries.sqlCopied', 'SQL copied'))}>
          {t('lists.queries.copy', 'Copy')}
        </Button>
      </div>
      <pre className={styles.text} tabIndex={0}>
        {sql}
      </pre>
    </>
  )
}
