import { IconButton, Tabs, useCopy, useTranslate } from '@parquetry/ui'
import { useEffect, useRef, useState } from 'react'
import { type ApiDocument, type Contents, type Operation, resolveResponse } from './api-document.ts'
import styles from './api-reference.module.css'
import { CodeText } from './CodeText.tsx'
import { SchemaView } from './SchemaView.tsx'
import { describeLimits, describeType } from './schema-text.ts'
import { TryIt } from './TryIt.tsx'

interface OperationViewProps {
  document: ApiDocument
  operation: Operation
}

/** The request and the responses of a call, and a form that sends it. */
export function OperationView({ document, operation }: OperationViewProps) {
  const t = useTranslate()
  const copy = useCopy()
  const [tab, setTab] = useState<'reference' | 'try'>('reference')
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.scrollIntoView({ block: 'nearest' }), [])
  const { method, path, summary, description } = operation
  return (
    <article aria-label={summary.replaceAll('`', '')} className={styles.operation}>
      <h2 ref={heading} className={styles.summary}>
        <CodeText text={summary} />
      </h2>
      <p className={styles.address}>
        <span className={styles.method} data-method={method}>
          {method}
        </span>
        <code>{path}</code>
        <IconButton
          icon="copy"
          label={t('apiReference.copy', 'Copy the address')}
          onClick={() => copy(path, t('apiReference.copied', 'Address copied'))}
        />
      </p>
      <p className={styles.prose}>
        <CodeText text={description} />
      </p>
      <Tabs
        label={t('apiReference.parts', 'Parts of the call')}
        value={tab}
        onChange={setTab}
        tabs={[
          { value: 'reference', label: t('apiReference.reference', 'Reference') },
          { value: 'try', label: t('apiReference.try', 'Try it') },
        ]}
      >
        {tab === 'try' ? (
          <TryIt document={document} operation={operation} />
        ) : (
          <Reference document={document} operation={operation} />
        )}
      </Tabs>
    </article>
  )
}

function Reference({ document, operation }: OperationViewProps) {
  const t = useTranslate()
  const { parameters, requestBody, responses } = operation
  return (
    <>
      {parameters.length > 0 && (
        <section className={styles.section} aria-label={t('apiReference.parameters', 'Parameters')}>
          <h3>{t('apiReference.parameters', 'Parameters')}</h3>
          <ul className={styles.fields}>
            {parameters.map(({ name, in: place, required, schema, content, description }) => {
              const shown = schema ?? Object.values(content ?? {})[0]?.schema ?? {}
              return (
                <li key={`${place} ${name}`}>
                  <p className={styles.field}>
                    <code>{name}</code>
                    <span className={styles.type}>{describeType(shown, t)}</span>
                    <span className={styles.note}>
                      {place === 'path'
                        ? t('apiReference.inPath', 'in the address')
                        : t('apiReference.inQuery', 'in the query string')}
                    </span>
                    {required && <strong>{t('apiReference.required', 'required')}</strong>}
                    {[description, ...describeLimits(shown, t)].filter(Boolean).map((text) => (
                      <span key={text} className={styles.note}>
                        {text}
                      </span>
                    ))}
                  </p>
                  {content && <SchemaView document={document} schema={shown} />}
                </li>
              )
            })}
          </ul>
        </section>
      )}
      {requestBody && (
        <section className={styles.section} aria-label={t('apiReference.body', 'Request body')}>
          <h3>{t('apiReference.body', 'Request body')}</h3>
          <ContentsView document={document} contents={requestBody.content} />
        </section>
      )}
      <section className={styles.section} aria-label={t('apiReference.responses', 'Responses')}>
        <h3>{t('apiReference.responses', 'Responses')}</h3>
        {Object.entries(responses).map(([status, response]) => {
          const { description, content } = resolveResponse(document, response)
          return (
            <details key={status} className={styles.response} open={status.startsWith('2')}>
              <summary>
                <span className={styles.status} data-kind={status[0]}>
                  {status}
                </span>
                {description}
              </summary>
              {content ? (
                <ContentsView document={document} contents={content} />
              ) : (
                <p className={styles.note}>{t('apiReference.noContent', 'The body is not described.')}</p>
              )}
            </details>
          )
        })}
      </section>
    </>
  )
}

const ContentsView = ({ document, contents }: { document: ApiDocument; contents: Contents }) =>
  Object.entries(contents).map(([type, { schema }]) => (
    <div key={type} className={styles.content}>
      <p className={styles.note}>
        <code>{type}</code>
      </p>
      <SchemaView document={document} schema={schema} />
    </div>
  ))
