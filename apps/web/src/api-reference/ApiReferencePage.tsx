import { Delayed, EmptyState, ErrorPanel, Link, PageHeader, Skeleton, TextInput, useTranslate } from '@parquetry/ui'
import { useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { messageOf } from '../shared/errors.ts'
import { formatNumber } from '../shared/formats.ts'
import { usePage } from '../shared/page.ts'
import { useTitle } from '../shared/use-title.ts'
import { type ApiDocument, listOperations, type Operation, searchOperations } from './api-document.ts'
import styles from './api-reference.module.css'
import { CodeText } from './CodeText.tsx'
import { useApiDocument } from './use-api-document.ts'
import { OperationView } from './OperationView.tsx'
import { apiReference } from './pages.ts'

/** The calls of the API: a searchable list, and the request and responses of the open call, which can be sent from here. */
export function ApiReferencePage() {
  const t = useTranslate()
  const document = useApiDocument()
  const title = t('apiReference.title', 'API reference')
  useTitle([title])
  return (
    <div className={styles.page}>
      <PageHeader
        title={title}
        actions={<a href="/api/v1/_openapi">{t('apiReference.document', 'OpenAPI document')}</a>}
      />
      {document.data ? (
        <Reference document={document.data} />
      ) : (
        <div className={styles.content}>
          {document.error ? (
            <ErrorPanel onRetry={() => void document.refetch()}>{messageOf(document.error)}</ErrorPanel>
          ) : (
            <Delayed>
              <div aria-busy="true">
                <Skeleton height={28} />
                <Skeleton height={320} />
              </div>
            </Delayed>
          )}
        </div>
      )}
    </div>
  )
}

function Reference({ document }: { document: ApiDocument }) {
  const t = useTranslate()
  const { search, setSearch } = usePage(apiReference)
  const operations = useMemo(() => listOperations(document), [document])
  const found = searchOperations(operations, useDeferredValue(search.q))
  const open = operations.find(({ operationId }) => operationId === search.call)
  return (
    <div className={styles.columns} data-open={search.call === null ? undefined : true}>
      <div className={styles.list}>
        <search className={styles.search}>
          <TextInput
            type="search"
            icon="search"
            clearable
            aria-label={t('apiReference.search', 'Search calls')}
            placeholder={t('apiReference.search', 'Search calls')}
            value={search.q}
            onChange={(q) => setSearch({ q }, { replace: true })}
          />
          <p role="status" className={styles.count}>
            {t('apiReference.count', '{count, plural, one {# call} other {# calls}}', { count: found.length })}
          </p>
        </search>
        {found.length === 0 ? (
          <EmptyState inline title={t('apiReference.none', 'No call matches')}>
            {t('apiReference.noneText', 'Search for a part of an address, such as chart/data.')}
          </EmptyState>
        ) : (
          <nav aria-label={t('apiReference.calls', 'Calls')}>
            {Object.entries(Object.groupBy(found, ({ group }) => group)).map(([group, members = []]) => (
              <Group
                key={group}
                name={group}
                operations={members}
                open={open}
                text={search.q}
                isOpen={search.q !== '' || open?.group === group}
              />
            ))}
          </nav>
        )}
      </div>
      <div className={styles.detail}>
        {open ? (
          <>
            <Link className={styles.back} href={hrefOf(null, search.q)}>
              {t('apiReference.back', 'All calls')}
            </Link>
            <OperationView key={open.operationId} document={document} operation={open} />
          </>
        ) : (
          <EmptyState
            title={
              search.call === null
                ? t('apiReference.choose', 'Choose a call')
                : t('apiReference.unknown', 'This server has no call {name}', { name: search.call })
            }
          >
            {t(
              'apiReference.chooseText',
              'See its request and responses, and send it with your own session. Scripts sign in with an API key or an access token.',
            )}
          </EmptyState>
        )}
      </div>
    </div>
  )
}

const hrefOf = (call: string | null, text: string): string => {
  const query = new URLSearchParams({ ...(text && { q: text }), ...(call !== null && { call }) }).toString()
  return query ? `/swagger/v1?${query}` : '/swagger/v1'
}

interface GroupProps {
  name: string
  operations: readonly Operation[]
  open: Operation | undefined
  text: string
  isOpen: boolean
}

function Group({ name, operations, open, text, isOpen }: GroupProps) {
  const details = useRef<HTMLDetailsElement>(null)
  // Not a prop of the element: the user can also open and close it.
  useEffect(() => {
    if (details.current) details.current.open = isOpen
  }, [isOpen])
  return (
    <details ref={details} className={styles.group}>
      <summary>
        {name} <span className={styles.count}>{formatNumber(operations.length)}</span>
      </summary>
      <ul>
        {operations.map((operation) => (
          <li key={operation.operationId}>
            <Link
              href={hrefOf(operation.operationId, text)}
              className={styles.call}
              aria-current={operation === open ? 'page' : undefined}
            >
              <span className={styles.method} data-method={operation.method}>
                {operation.method}
              </span>
              <span className={styles.callText}>
                <code>{operation.path}</code>
                <span>
                  <CodeText text={operation.summary} />
                </span>
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}
