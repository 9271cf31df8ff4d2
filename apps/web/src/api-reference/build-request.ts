import type { Operation } from './api-document.ts'

/** The input of the user in the form of a call. */
export interface RequestDraft {
  /** Values of the parameters by name; empty ones are not sent. */
  parameters: Readonly<Record<string, string>>
  contentType: string | null
  /** JSON or another text. */
  text: string
  fields: Readonly<Record<string, string>>
  files: Readonly<Record<string, File>>
}

export interface ApiRequest {
  url: string
  headers: Record<string, string>
  body?: string | FormData | URLSearchParams | File
}

/** The address of a call on this server. A parameter of the path that is empty leaves its part of the path empty. */
function buildUrl({ path, parameters }: Operation, values: Readonly<Record<string, string>>): string {
  const address = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && (values[parameter.name] ?? '') !== '')
    .map(({ name }) => `${encodeURIComponent(name)}=${encodeURIComponent(values[name] ?? '')}`)
  return query.length > 0 ? `${address}?${query.join('&')}` : address
}

/** Builds the request of a call as typed, so that the server can refuse what is wrong. */
export function buildRequest(operation: Operation, draft: RequestDraft): ApiRequest {
  const url = buildUrl(operation, draft.parameters)
  const filled = Object.entries(draft.fields).filter(([, value]) => value !== '')
  switch (draft.contentType) {
    case null:
      return { url, headers: {} }
    case 'application/x-www-form-urlencoded':
      return { url, headers: {}, body: new URLSearchParams(filled) }
    case 'multipart/form-data': {
      const form = new FormData()
      for (const [name, value] of filled) form.append(name, value)
      for (const [name, file] of Object.entries(draft.files)) form.append(name, file)
      return { url, headers: {}, body: form }
    }
    case 'application/octet-stream':
      return {
        url,
        headers: { 'content-type': draft.contentType },
        body: draft.files['body'] ?? new File([], 'body'),
      }
    default:
      return { url, headers: { 'content-type': draft.contentType }, body: draft.text }
  }
}
