import {
  Banner,
  Button,
  confirm,
  ErrorPanel,
  Field,
  Select,
  StatusChip,
  TextArea,
  TextInput,
  useField,
  useTranslate,
} from '@parquetry/ui'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { boot } from '../shared/boot.ts'
import { messageOf } from '../shared/errors.ts'
import { formatNumber } from '../shared/formats.ts'
import { type ApiDocument, type JsonSchema, type Operation, resolveSchema } from './api-document.ts'
import styles from './api-reference.module.css'
import { buildRequest, type RequestDraft } from './build-request.ts'
import { createExample } from './example-value.ts'
import { describeType } from './schema-text.ts'
import { type ApiAnswer, sendRequest } from './send-request.ts'

interface TryItProps {
  document: ApiDocument
  operation: Operation
}

const isForm = (type: string | null): boolean =>
  type === 'multipart/form-data' || type === 'application/x-www-form-urlencoded'

function createDraft(document: ApiDocument, { requestBody }: Operation): RequestDraft {
  const [type = null] = Object.keys(requestBody?.content ?? {})
  const schema = type === null ? undefined : requestBody?.content[type]?.schema
  return {
    parameters: {},
    contentType: type,
    text: type === 'application/json' && schema ? JSON.stringify(createExample(document, schema), null, 2) : '',
    fields: {},
    files: {},
  }
}

/** A form that sends the call as the signed-in user, and shows the response. */
export function TryIt({ document, operation }: TryItProps) {
  const t = useTranslate()
  const [draft, setDraft] = useState(() => createDraft(document, operation))
  const [answer, setAnswer] = useState<ApiAnswer | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const abort = useRef<AbortController | null>(null)
  useEffect(() => () => abort.current?.abort(), [])
  const { method, path, parameters, requestBody } = operation
  const types = Object.keys(requestBody?.content ?? {})
  const change = (patch: Partial<RequestDraft>) => setDraft((before) => ({ ...before, ...patch }))

  async function send(): Promise<void> {
    const isConfirmed =
      method !== 'DELETE' ||
      (await confirm({
        title: t('apiReference.deleteTitle', 'Send this DELETE?'),
        body: t('apiReference.deleteText', 'This deletes real objects on this server: {path}', {
          path: buildRequest(operation, draft).url,
        }),
        action: t('apiReference.deleteAction', 'Send DELETE'),
      }))
    if (!isConfirmed) return
    const controller = new AbortController()
    abort.current = controller
    setSending(true)
    setError(null)
    try {
      setAnswer(await sendRequest(method, buildRequest(operation, draft), controller.signal))
    } catch (failure) {
      setAnswer(null)
      if (!controller.signal.aborted) setError(messageOf(failure))
    } finally {
      setSending(false)
    }
  }

  return (
    <form
      className={styles.tryIt}
      aria-label={t('apiReference.try', 'Try it')}
      onSubmit={(event: SubmitEvent) => {
        event.preventDefault()
        void send()
      }}
    >
      {method !== 'GET' && (
        <Banner tone="warning">
          {t('apiReference.real', 'The call is sent as {user} and can change data on this server.', {
            user: boot.user.username ?? '',
          })}
        </Banner>
      )}
      {parameters.map(({ name, in: place, required, schema, content }) => (
        <Field
          key={`${place} ${name}`}
          label={name}
          required={required}
          help={describeType(schema ?? Object.values(content ?? {})[0]?.schema ?? {}, t)}
        >
          <TextInput
            mono
            spellCheck={false}
            autoCapitalize="none"
            value={draft.parameters[name] ?? ''}
            onChange={(value) => change({ parameters: { ...draft.parameters, [name]: value } })}
          />
        </Field>
      ))}
      {types.length > 1 && (
        <Field label={t('apiReference.contentType', 'Content type')}>
          <Select
            options={types.map((type) => ({ value: type, label: type }))}
            value={draft.contentType}
            onChange={(contentType) => change({ contentType })}
          />
        </Field>
      )}
      {draft.contentType !== null && (
        <BodyFields
          document={document}
          schema={requestBody?.content[draft.contentType]?.schema ?? {}}
          draft={draft}
          change={change}
        />
      )}
      <div className={styles.actions}>
        <Button variant="primary" type="submit" icon="play" busy={isSending}>
          {t('apiReference.send', 'Send')}
        </Button>
        {isSending && (
          <Button icon="stop" onClick={() => abort.current?.abort()}>
            {t('apiReference.stop', 'Stop')}
          </Button>
        )}
        <code className={styles.sent}>
          {method} {path}
        </code>
      </div>
      <div aria-live="polite">
        {error !== null && (
          <ErrorPanel inline title={t('apiReference.failed', 'No response')}>
            {error}
          </ErrorPanel>
        )}
        {answer && <AnswerView answer={answer} />}
      </div>
    </form>
  )
}

interface BodyFieldsProps {
  document: ApiDocument
  schema: JsonSchema
  draft: RequestDraft
  change(patch: Partial<RequestDraft>): void
}

function BodyFields({ document, schema, draft, change }: BodyFieldsProps) {
  const t = useTranslate()
  const body = t('apiReference.body', 'Request body')
  const setFile = (name: string, file: File | undefined): void => {
    const { [name]: _, ...others } = draft.files
    change({ files: file ? { ...others, [name]: file } : others })
  }
  if (draft.contentType === 'application/octet-stream')
    return (
      <Field label={body}>
        <FileInput onChange={(file) => setFile('body', file)} />
      </Field>
    )
  if (!isForm(draft.contentType))
    return (
      <Field label={body} help={draft.contentType ?? ''}>
        <TextArea mono rows={10} spellCheck={false} value={draft.text} onChange={(text) => change({ text })} />
      </Field>
    )
  const resolved = resolveSchema(document, schema)
  const required = (resolved['required'] ?? []) as readonly string[]
  return Object.entries((resolved['properties'] ?? {}) as Readonly<Record<string, JsonSchema>>).map(([name, field]) => (
    <Field key={name} label={name} required={required.includes(name)} help={describeType(field, t)}>
      {field['format'] === 'binary' ? (
        <FileInput onChange={(file) => setFile(name, file)} />
      ) : (
        <TextInput
          mono
          spellCheck={false}
          value={draft.fields[name] ?? ''}
          onChange={(value) => change({ fields: { ...draft.fields, [name]: value } })}
        />
      )}
    </Field>
  ))
}

function FileInput({ onChange }: { onChange(file: File | undefined): void }) {
  const field = useField()
  return <input {...field} type="file" className={styles.file} onChange={({ target }) => onChange(target.files?.[0])} />
}

function AnswerView({ answer }: { answer: ApiAnswer }) {
  const t = useTranslate()
  const { status, statusText, ms, bytes, contentType, text, isCut } = answer
  return (
    <section className={styles.answer} aria-label={t('apiReference.answer', 'Response')}>
      <p className={styles.answerHead}>
        <StatusChip tone={status < 300 ? 'success' : status < 400 ? 'info' : 'danger'}>
          {status} {statusText}
        </StatusChip>
        <span className={styles.note}>
          {t('apiReference.figures', '{ms} ms, {bytes} bytes, {type}', {
            ms: formatNumber(Math.round(ms)),
            bytes: formatNumber(bytes),
            type: contentType || '-',
          })}
        </span>
      </p>
      {text === null ? (
        <p className={styles.note}>{t('apiReference.binary', 'The content is not text.')}</p>
      ) : text === '' ? (
        <p className={styles.note}>{t('apiReference.empty', 'The body is empty.')}</p>
      ) : (
        // Long responses scroll, so the block must be focusable.
        <pre className={styles.body} tabIndex={0}>
          {text}
        </pre>
      )}
      {isCut && <p className={styles.note}>{t('apiReference.cut', 'Only the start of the response is shown.')}</p>}
    </section>
  )
}
